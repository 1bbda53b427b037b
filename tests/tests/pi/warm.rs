//! A real pi that waits for long gives its process back, and goes on where it was (decision 14, reference D.7).

use crate::both;
use e2e::model_server::Step;
use std::fs;

both! {
    fn d7_an_idle_pi_gives_its_process_back_and_goes_on_where_it_was(stage) {
        let directory = stage.world.home().join(".config/agent-board");
        fs::create_dir_all(&directory).unwrap();
        let settings = "max_warm_hosts = 0\nwarm_host_ttl_ms = 1000\nwarm_host_grace_ms = 0\nsweep_interval_ms = 1000\n";
        fs::write(directory.join("config.toml"), settings).unwrap();
        stage.model.push(Step::text("The lamp is green."));
        let id = stage.start("which lamp?");
        let row = stage.wait(&id, "its process is gone, and it rests", |row| row["resumes_on_attach"] == true);
        assert_eq!(row["state"], "idle", "{row:#}");
        assert_eq!(row["host_state"], "exited", "{row:#}");
        let log = stage.world.runner(&["log", &id]).ok().stdout;
        assert!(log.contains("host_reclaimed"), "{log}");
        // Whoever enters finds the conversation.
        stage.in_terminal(&id, "The lamp is green.", |_| {});
    }
}
