//! The real pi, in both generations, reports to a host through our extension: what it says in each situation, and when
//! it must say nothing.
//!
//! `RECORD_PI_SAMPLES=1` writes what was said to `host-runner/src/agents/pi/samples/`, where the parser's own tests read
//! it.

#[path = "pi_adapter/ear.rs"]
mod ear;
#[path = "pi_adapter/stage.rs"]
mod stage;

use e2e::{agents::pi::Edition, model_server::Step};
use stage::Stage;

#[test]
fn smoke() {
    for edition in Edition::ALL {
        let stage = Stage::new(edition);
        stage.model.push(Step::text("All done."));
        let pi = stage.start("Say something");
        pi.wait_for("agent_settled");
        pi.quit();
        for heard in stage.ear.heard() {
            println!("{} {}", String::from_utf8_lossy(&heard.payload), "");
        }
        println!("---");
    }
}
