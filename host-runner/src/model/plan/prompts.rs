//! The words around what a person asks of a plan: only plan, carry out, plan anew (reference A.11). Pure.
//!
//! They are sent because the person gave that command, and nothing else sends them; `plan show` and the queue show them as
//! they are.

/// Asks for a plan and for nothing else.
pub fn only_plan(task: &str) -> String {
    format!(
        "Make a plan for the task below, and only a plan: change no file, install nothing and run nothing that \
         changes anything. Reading and searching are fine.\n\
         Answer with the plan alone, under these headings:\n\
         - Scope: what belongs to the task and what does not\n\
         - Assumptions: what you take for granted\n\
         - Steps: in order, with the files that each one touches\n\
         - Validation: how we will see that it works\n\
         - Risks: what may go wrong, and what then\n\
         - Open questions: what you need to know from me\n\
         Then stop and wait: I approve the plan or send it back.\n\n\
         The task:\n{task}"
    )
}

/// Has the approved plan carried out.
pub fn carry_out() -> String {
    "I approve your plan. Carry it out now, step by step, and keep to it; where it turns out to be wrong, say so and take \
     the smallest change that works.\n\
     When you are finished, report:\n\
     - Files changed, and what for\n\
     - Commands run\n\
     - Results of the validation, failures included\n\
     - Residual risks and what is left to do"
        .to_owned()
}

/// Sends the plan back.
pub fn plan_anew(wishes: &str) -> String {
    format!(
        "I do not approve the plan yet. Revise it as asked below and answer with the whole plan again, under the same \
         headings. Still only plan: change nothing and run nothing that changes anything. Then stop and wait for my \
         approval.\n\n\
         What shall be different:\n{wishes}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a11_each_prompt_asks_for_what_the_person_needs_to_decide() {
        let plan = only_plan("mend the login");
        for heading in ["Scope", "Assumptions", "Steps", "Validation", "Risks", "Open questions"] {
            assert!(plan.contains(heading), "{heading}");
        }
        assert!(plan.ends_with("The task:\nmend the login") && plan.contains("only a plan"));
        let done = carry_out();
        for heading in ["Files changed", "Commands run", "Results", "Residual risks"] {
            assert!(done.contains(heading), "{heading}");
        }
        assert!(plan_anew("fewer steps").ends_with("What shall be different:\nfewer steps"));
    }

    #[test]
    fn no_prompt_begins_with_what_an_agent_takes_for_a_command() {
        for prompt in [only_plan("/x"), carry_out(), plan_anew("!x")] {
            assert!(prompt.starts_with(char::is_alphabetic), "{prompt}");
        }
    }
}
