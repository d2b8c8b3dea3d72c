import { isObject, type JsonObject, numberOf, stringOf } from '../../transcript/json'
import type { Tokens } from '../../units/units'

/** What Claude Code hands to the command of its status line, as far as it is used. */
export type StatuslineInput = {
  readonly transcript: string | null
  /** The folder that Claude Code was started in, whose settings it takes; an absolute path. */
  readonly project: string | null
  readonly model: string | null
  /** The release of Claude Code. */
  readonly version: string | null
  /** Of the model in use, in tokens. */
  readonly window: Tokens | null
  /** Prompt and answer of the last call, in tokens; null before the first one, and of older releases. */
  readonly prompt: Tokens | null
  readonly output: Tokens | null
}

/**
 * Reads the JSON of Claude Code's status line (https://code.claude.com/docs/en/statusline). Every field may be absent.
 * @returns null when it is no such document
 */
export function readStatuslineInput(text: string): StatuslineInput | null {
  const value = parsed(text)
  if (!isObject(value)) return null
  const model = fieldsOf(value.model)
  const window = fieldsOf(value.context_window)
  const usage = fieldsOf(window.current_usage)
  const parts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]
  const prompt = parts.reduce<number>((sum, part) => sum + positive(part), 0)
  return {
    transcript: stringOf(value.transcript_path) ?? null,
    project: stringOf(fieldsOf(value.workspace).project_dir) ?? null,
    model: stringOf(model.id) ?? null,
    version: stringOf(value.version) ?? null,
    window: positive(window.context_window_size) || null,
    prompt: prompt || null,
    output: positive(usage.output_tokens) || null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function positive(value: unknown): number {
  return Math.max(0, numberOf(value) ?? 0)
}
