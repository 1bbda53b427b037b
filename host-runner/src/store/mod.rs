//! SQLite: schema, migrations, journal, projections.
