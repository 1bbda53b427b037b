//! The protocol: who we are, which tools there are, and the way of a call to its tool and of the answer back.
//!
//! Served by [`super::run`]. What goes wrong in a tool is the result of the call, not an error of the protocol: clients show
//! their model the former.

use super::{desk::Desk, results::Answered, tools, trouble::Trouble};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use std::sync::Arc;

/// What the model is told about all of this.
const INSTRUCTIONS: &str = "Terminals of your own for what goes on while you work: dev servers, watchers, REPLs, ssh. Open one with terminal_open, type with terminal_send, wait with terminal_wait_for, look with terminal_read, and close it when you need it no more. The person sees them on the board and what you wait for, and can end a wait early; go on then.";

/// See the head of this file.
#[derive(Debug, Clone)]
pub(super) struct Server {
    desk: Arc<Desk>,
}

impl Server {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        Self { desk }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("agent-board", crate::BUILD).with_title("Agent Board terminals");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(name)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        match tools::call(&self.desk, &request.name, arguments, &context).await {
            Some(Ok(answered)) => Ok(success(answered).into()),
            Some(Err(Trouble(text))) => Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into()),
            None => {
                let names: Vec<_> = tools::all().into_iter().map(|tool| tool.name).collect();
                let text = format!("there is no tool {:?}. Tools: {}", request.name, names.join(", "));
                Err(ErrorData::invalid_params(text, None))
            }
        }
    }
}

fn success(answered: Answered) -> CallToolResult {
    let mut result = CallToolResult::structured(answered.structured);
    result.content = vec![ContentBlock::text(answered.text)];
    result
}
