//! Reads what a message cost, however an agent spells it. Pure.
//!
//! Agents and the providers behind them write the same numbers under a handful of names; adapters share this reader, so
//! that a name that one of them learns is known to all. What is missing, negative or no number counts as nothing.

use super::event::Usage;
use serde_json::Value;

/// Tokens read, without those from a cache: pi; Anthropic and most others; JavaScript clients; OpenAI.
const INPUT: [&str; 4] = ["input", "input_tokens", "inputTokens", "prompt_tokens"];
/// Tokens written.
const OUTPUT: [&str; 5] =
    ["output", "output_tokens", "outputTokens", "completion_tokens", "completionTokens"];
/// Tokens read from a cache.
const CACHE_READ: [&str; 4] = ["cacheRead", "cache_read", "cache_read_input_tokens", "cacheReadInputTokens"];
/// Tokens read from a cache that are among those read (OpenAI and Codex count them twice).
const CACHED_AMONG_INPUT: [&str; 2] = ["cached_input_tokens", "cachedInputTokens"];
/// Tokens put into a cache.
const CACHE_WRITE: [&str; 5] = [
    "cacheWrite",
    "cache_write",
    "cache_creation_input_tokens",
    "cacheCreationInputTokens",
    "cacheWriteInputTokens",
];
/// All tokens.
const TOTAL: [&str; 4] = ["totalTokens", "total_tokens", "total", "tokens"];
/// Money.
const COST: [&str; 5] = ["cost", "total_cost_usd", "costUSD", "cost_usd", "totalCost"];

/// Reads an object of counts; `None` for anything else.
pub(crate) fn read(usage: &Value) -> Option<Usage> {
    let usage = usage.as_object()?;
    let count = |names: &[&str]| names.iter().find_map(|name| tokens(usage.get(*name)?)).unwrap_or(0);
    let (output, cache_write) = (count(&OUTPUT), count(&CACHE_WRITE));
    let among = count(&CACHED_AMONG_INPUT);
    let input = count(&INPUT).saturating_sub(among);
    let cache_read = count(&CACHE_READ).saturating_add(among);
    let sum = [input, output, cache_read, cache_write].into_iter().fold(0, u64::saturating_add);
    let total = TOTAL.iter().find_map(|name| tokens(usage.get(*name)?)).unwrap_or(sum);
    let cost = COST.iter().find_map(|name| money(usage.get(*name)?));
    Some(Usage { input, output, cache_read, cache_write, total, cost })
}

/// A count of tokens, also where it was written as a float.
fn tokens(value: &Value) -> Option<u64> {
    let whole = |number: f64| (number.is_finite() && number >= 0.0).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(whole))
}

/// An amount, or an object with the sum of its parts.
fn money(value: &Value) -> Option<f64> {
    let amount = value.as_f64().or_else(|| value.get("total")?.as_f64())?;
    (amount.is_finite() && amount >= 0.0).then_some(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_spelling_in_use_is_read() {
        let read_as = |input, output, cache_read, cache_write, total, cost| {
            Some(Usage { input, output, cache_read, cache_write, total, cost })
        };
        let table = [
            // pi.
            (
                json!({"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10, "cost": {"input": 0.1, "total": 0.5}}),
                read_as(1, 2, 3, 4, 10, Some(0.5)),
            ),
            // Anthropic, and Claude Code's sum of money beside it.
            (
                json!({"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 4, "total_cost_usd": 0.25}),
                read_as(1, 2, 3, 4, 10, Some(0.25)),
            ),
            // OpenAI, with one more object that nobody asked for.
            (
                json!({"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12, "prompt_tokens_details": {"cached_tokens": 3}}),
                read_as(7, 5, 0, 0, 12, None),
            ),
            // Codex.
            (
                json!({"input_tokens": 7, "cached_input_tokens": 3, "output_tokens": 5}),
                read_as(4, 5, 3, 0, 12, None),
            ),
            // JavaScript clients.
            (
                json!({"inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "cost": 0.125}),
                read_as(1, 2, 0, 0, 3, Some(0.125)),
            ),
            // Numbers of the wrong kind count as nothing, and what is there still counts.
            (json!({"input": -1, "output": "2", "cost": {"sum": 1}}), read_as(0, 0, 0, 0, 0, None)),
            (json!({"input": 2.0, "output": 3, "cost": -1}), read_as(2, 3, 0, 0, 5, None)),
            (json!({}), read_as(0, 0, 0, 0, 0, None)),
            (json!(null), None),
            (json!([1, 2]), None),
        ];
        for (value, expected) in table {
            assert_eq!(read(&value), expected, "{value}");
        }
    }
}
