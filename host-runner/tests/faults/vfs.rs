//! SQLite's file system layer with a [`disk`](super::disk) in front of the real one: every call is passed on, but writes,
//! syncs, truncations and deletions ask the disk first.
//!
//! No crate does this here: `sqlite-plugin` is kept but needs libclang to build, `sqlite-vfs` has not been released for
//! years. Registered as the process's default, so that the store opens its files through it and knows nothing of it.

#![expect(
    unsafe_code,
    reason = "SQLite's file system layer is a table of C functions; each block says why it is sound"
)]

use super::disk::{self, Disk, Verdict};
use rusqlite::ffi::{
    SQLITE_IOERR_DELETE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE, SQLITE_OK,
    sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};
use std::{
    ffi::{CStr, OsStr, c_char, c_int, c_void},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Once, OnceLock},
};

/// A file of SQLite's: ours in front, the real one behind it in the same allocation.
#[repr(C)]
struct Wrapped {
    base: sqlite3_file,
    /// Owned by the file from open to close; null for a file of no disk.
    seat: *mut Seat,
}

struct Seat {
    path: PathBuf,
    disk: Arc<Mutex<Disk>>,
}

/// The real file system. SQLite never frees the default one.
struct Real(*mut sqlite3_vfs);

// SAFETY: SQLite's own file systems may be called from every thread; the pointer is never changed after it was found.
unsafe impl Send for Real {}
// SAFETY: as above.
unsafe impl Sync for Real {}

static REAL: OnceLock<Real> = OnceLock::new();

fn real_vfs() -> *mut sqlite3_vfs {
    REAL.get().unwrap().0
}

/// Puts the layer in front of SQLite's default one, once in a process.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: a null name asks for the default; SQLite initialises itself for this call.
        let real = unsafe { sqlite3_vfs_find(std::ptr::null()) };
        assert!(!real.is_null());
        assert!(REAL.set(Real(real)).is_ok());
        // SAFETY: it is a valid table of functions that lives as long as the process; a plain copy shares its context,
        // which the functions that are not replaced below expect.
        let mut ours = unsafe { std::ptr::read(real) };
        ours.pNext = std::ptr::null_mut();
        ours.zName = c"faulty".as_ptr();
        ours.szOsFile += c_int::try_from(size_of::<Wrapped>()).unwrap();
        ours.xOpen = Some(open);
        ours.xDelete = Some(delete);
        // SAFETY: leaked, so it lives as long as SQLite may call it.
        let registered = unsafe { sqlite3_vfs_register(Box::into_raw(Box::new(ours)), 1) };
        assert_eq!(registered, SQLITE_OK);
    });
}

fn inner(file: *mut sqlite3_file) -> *mut sqlite3_file {
    file.wrapping_byte_add(size_of::<Wrapped>())
}

fn seat<'a>(file: *mut sqlite3_file) -> Option<&'a Seat> {
    // SAFETY: SQLite passes a file that `open` made, and nobody else has it during the call.
    unsafe { (*file.cast::<Wrapped>()).seat.as_ref() }
}

fn path_of(name: *const c_char) -> PathBuf {
    // SAFETY: SQLite's names end with a NUL.
    let name = unsafe { CStr::from_ptr(name) };
    Path::new(OsStr::from_bytes(name.to_bytes())).to_owned()
}

extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: *const c_char,
    file: *mut sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let wrapped = file.cast::<Wrapped>();
    // SAFETY: SQLite allocated `szOsFile` bytes, which begin with ours; the real file lies behind them, aligned because
    // `Wrapped` is two pointers long. The real layer is called as SQLite would call it.
    unsafe {
        (*wrapped).base.pMethods = std::ptr::null();
        (*wrapped).seat = std::ptr::null_mut();
        let opened = ((*real_vfs()).xOpen.unwrap())(real_vfs(), name, inner(file), flags, out);
        if !(*inner(file)).pMethods.is_null() {
            (*wrapped).base.pMethods = &raw const METHODS;
            if !name.is_null()
                && let Some(disk) = disk::of(&path_of(name))
            {
                (*wrapped).seat = Box::into_raw(Box::new(Seat { path: path_of(name), disk }));
            }
        }
        opened
    }
}

extern "C" fn delete(_: *mut sqlite3_vfs, name: *const c_char, _: c_int) -> c_int {
    let path = path_of(name);
    if let Some(disk) = disk::of(&path) {
        let mut disk = disk.lock().unwrap();
        if disk.ask() != Verdict::Goes {
            return SQLITE_IOERR_DELETE;
        }
        disk.synced(&path);
    }
    // SAFETY: passed on as it came; the directory is not synced, because the test's disk says what is.
    unsafe { ((*real_vfs()).xDelete.unwrap())(real_vfs(), name, 0) }
}

/// Passes a call on to the real file.
macro_rules! forward {
    ($name:ident, $method:ident $(, $argument:ident : $type:ty)*) => {
        extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $type)*) -> c_int {
            // SAFETY: the real file was opened by the real layer, whose table has this function; passed on as it came.
            unsafe { ((*(*inner(file)).pMethods).$method.unwrap())(inner(file) $(, $argument)*) }
        }
    };
}

forward!(read, xRead, to: *mut c_void, amount: c_int, offset: sqlite3_int64);
forward!(file_size, xFileSize, size: *mut sqlite3_int64);
forward!(lock, xLock, level: c_int);
forward!(unlock, xUnlock, level: c_int);
forward!(check_reserved, xCheckReservedLock, out: *mut c_int);
forward!(control, xFileControl, operation: c_int, argument: *mut c_void);
forward!(sector_size, xSectorSize);
forward!(characteristics, xDeviceCharacteristics);
forward!(shm_map, xShmMap, page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void);
forward!(shm_lock, xShmLock, offset: c_int, count: c_int, flags: c_int);
forward!(shm_unmap, xShmUnmap, remove: c_int);
forward!(real_write, xWrite, from: *const c_void, amount: c_int, offset: sqlite3_int64);
forward!(real_truncate, xTruncate, size: sqlite3_int64);
forward!(real_close, xClose);

extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    // SAFETY: as in `forward`.
    unsafe { ((*(*inner(file)).pMethods).xShmBarrier.unwrap())(inner(file)) }
}

extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    let wrapped = file.cast::<Wrapped>();
    // SAFETY: `open` made the seat, and a file is closed once.
    unsafe {
        let seat = std::mem::replace(&mut (*wrapped).seat, std::ptr::null_mut());
        if !seat.is_null() {
            drop(Box::from_raw(seat));
        }
    }
    real_close(file)
}

extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: sqlite3_int64,
) -> c_int {
    let Some(Seat { path, disk }) = seat(file) else {
        return real_write(file, from, amount, offset);
    };
    let mut disk = disk.lock().unwrap();
    let (amount, answer) = match disk.ask() {
        Verdict::Goes => (amount, SQLITE_OK),
        Verdict::Torn => (amount / 2, SQLITE_IOERR_WRITE),
        Verdict::Fails => return SQLITE_IOERR_WRITE,
    };
    let length = usize::try_from(amount).unwrap();
    // SAFETY: SQLite gives `amount` bytes, and not more than those are looked at.
    let new = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), length) };
    let at = u64::try_from(offset).unwrap();
    let (old, old_length) = disk::peek(path, at, length as u64);
    disk.changes(path, at, Some(new), old, old_length);
    let written = real_write(file, from, amount, offset);
    if written == SQLITE_OK { answer } else { written }
}

extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    if let Some(Seat { path, disk }) = seat(file) {
        let mut disk = disk.lock().unwrap();
        if disk.ask() != Verdict::Goes {
            return SQLITE_IOERR_TRUNCATE;
        }
        let at = u64::try_from(size).unwrap();
        let (old, old_length) = disk::peek(path, at, u64::MAX);
        disk.changes(path, at, None, old, old_length);
    }
    real_truncate(file, size)
}

/// The real disk is not asked: what is synced is what the test's disk says.
extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    if let Some(Seat { path, disk }) = seat(file) {
        let mut disk = disk.lock().unwrap();
        if disk.ask() != Verdict::Goes {
            return SQLITE_IOERR_FSYNC;
        }
        disk.synced(path);
    }
    SQLITE_OK
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    // Version 2 is the one with shared memory and without mapped pages, which would be written behind our back.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};
