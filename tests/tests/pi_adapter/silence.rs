//! When the extension must say nothing.

use crate::both;
use e2e::model_server::Step;
use std::{io::Write, process::Stdio};

both! {
    // Field report A17: pi's RPC, JSON and print children claimed the state of the session around them.
    fn a17_print_json_and_rpc_modes_say_nothing(stage) {
        stage.model.push(Step::text("Hello.").always());
        for arguments in [&["--mode", "json", "-p", "hi"][..], &["-p", "hi"], &["--mode", "text", "-p", "hi"]] {
            let output = stage.plain(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(String::from_utf8_lossy(&output.stdout).contains("Hello."), "{arguments:?}");
        }
        let mut rpc = stage.plain(&["--mode", "rpc"]);
        let mut child = rpc.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"{\"id\":\"1\",\"type\":\"prompt\",\"message\":\"hi\"}\n").unwrap();
        stage.model.wait_for_requests(4, crate::stage::DEADLINE).unwrap();
        // rpc mode ends when its input does.
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("agent_start"));
        assert!(stage.ear.hellos().is_empty() && stage.ear.heard().is_empty(), "{:#?}", stage.ear.heard());
        assert!(stage.spooled().is_empty());
    }

    fn without_our_environment_it_says_nothing_and_disturbs_nothing(stage) {
        stage.model.push(Step::text("Hello from pi."));
        let mut command = stage.command("hi");
        command.env_remove("AGENT_BOARD_SOCKET").env_remove("AGENT_BOARD_TOKEN");
        let pi = stage.run(command);
        pi.wait_screen("Hello from pi.");
        assert!(pi.quit().success());
        assert!(stage.ear.hellos().is_empty() && stage.spooled().is_empty());
    }
}
