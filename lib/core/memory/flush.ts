import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** Which flush prompts of the current cycle have been given, as shares of the window. */
export type FlushState = {
  /** Highest threshold that was prompted for in this cycle; 0 when none was. */
  readonly prompted: number
  /** The agent wrote to its memory after the last prompt. */
  readonly actioned: boolean
}

export const FLUSH_START: FlushState = { prompted: 0, actioned: false }

/** Below this share of the window a new cycle begins, even without a compaction. */
const NEW_CYCLE_BELOW = 0.25

export type FlushCheck = {
  /** The threshold to prompt for now; null when none is due. */
  readonly due: number | null
  readonly state: FlushState
}

/**
 * Whether the agent is to be asked to save what matters: once per threshold and cycle, and when several were
 * passed at once, for the highest alone.
 * @param share of the window that the prompt takes, what is about to come in included
 * @param ahead one threshold more, below the compaction (`softFlushLine`); null for none
 */
export function checkFlush(
  policy: Policy,
  share: number,
  before: FlushState,
  ahead: number | null = null,
): FlushCheck {
  const state = share < NEW_CYCLE_BELOW ? FLUSH_START : before
  const { enabled, at } = policy.lines.flush
  if (!enabled) return { due: null, state }
  const passed = [...at, ...(ahead === null ? [] : [ahead])].filter((threshold) => share >= threshold - SLACK)
  const highest = Math.max(0, ...passed)
  if (highest <= state.prompted) return { due: null, state }
  return { due: highest, state: { prompted: highest, actioned: false } }
}

/** Keeps 0.75 × 200,000 from missing its line by a binary fraction. */
const SLACK = 1e-9

/** The cycle after a compaction begins anew. */
export function afterCompaction(): FlushState {
  return FLUSH_START
}

/**
 * The place of an agent's memory; writing there answers a flush prompt. From the workspace anything below `memory/`;
 * in a longer path notes alone, as programs have folders of that name as well.
 */
const MEMORY_PATH = /^(?:\.[\\/])?memory[\\/].*[^\\/]$|(?:^|[\\/])(?:memory[\\/].*\.md|MEMORY\.md)$/i
const LEADS_OUT = /(?:^|[\\/])\.\.(?:[\\/]|$)/
const WRITING_TOOLS =
  /^(write|edit|multi_?edit|apply_patch|append|create|str_replace|write_file|edit_file|create_file)/i

/** Notes whether a tool call of the agent wrote to its memory. */
export function noteToolCall(state: FlushState, tool: string, path: string | null): FlushState {
  if (state.prompted === 0 || state.actioned || path === null) return state
  const isMemory = MEMORY_PATH.test(path) && !LEADS_OUT.test(path)
  return WRITING_TOOLS.test(tool) && isMemory ? { ...state, actioned: true } : state
}

/** The reply with which an agent says that it has nothing to say. */
const SILENT_REPLY = 'NO_REPLY'

/**
 * The request to the agent to save its memory. The usage line has the exact form of GoClaw's.
 * @param day YYYY-MM-DD, as the agent's memory files are named
 */
export function flushPrompt(options: {
  readonly day: string
  readonly tokens: Tokens
  readonly window: Tokens
  /** It comes with its own request, which is not waited for; else the agent has something to answer as well. */
  readonly alone?: boolean
  /** The operator's own words in place of ours; `YYYY-MM-DD` in them becomes the day. '' is none. */
  readonly words?: string
}): string {
  const { day, tokens, window, alone = true, words = '' } = options
  if (words.trim() !== '') {
    const own = [usageLine(tokens, window), onDay(words, day)]
    // The program waits for an answer, and shows any other than this one.
    const hint = alone && !words.includes(SILENT_REPLY)
    return [...own, ...(hint ? [NOTHING_TO_SAVE] : [])].join('\n\n')
  }
  return [
    usageLine(tokens, window),
    `Your context is filling up, and older messages will be summarised soon. Save what must not be lost now, in memory/${day}.md: decisions and why, open tasks, file paths and identifiers that you still need, what the user asked for and prefers. Add to the file, do not replace it.`,
    alone
      ? NOTHING_TO_SAVE
      : `Then go on with what you were asked, and do not speak of this. Only when you were asked nothing, answer with ${SILENT_REPLY} and nothing else.`,
  ].join('\n\n')
}

const NOTHING_TO_SAVE = `If there is nothing to save, answer with ${SILENT_REPLY} and nothing else.`

/** The words of a prompt with the day in them: runtimes write `YYYY-MM-DD` for it. */
export function onDay(words: string, day: string): string {
  return words.replaceAll('YYYY-MM-DD', day)
}

/** `[Context: 156k/200k tokens (78%)]`. */
export function usageLine(tokens: Tokens, window: Tokens): string {
  return `[Context: ${thousands(tokens)}/${thousands(window)} tokens (${Math.round((tokens / window) * 100)}%)]`
}

function thousands(tokens: Tokens): string {
  return `${Math.round(tokens / 1000)}k`
}
