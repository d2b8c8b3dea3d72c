import type { Policy } from '../policy/policy'
import { parseObject, stringOf } from '../transcript/json'
import type { Tokens } from '../units/units'

/** What a session has had of checkpoints in the current cycle. */
export type CheckpointState = {
  /** Thresholds that were crossed already, as shares of the window. */
  readonly crossed: readonly number[]
  /** Turns and tokens at the last checkpoint of the cycle; zero when there was none. */
  readonly turns: number
  readonly tokens: Tokens
}

export const CHECKPOINT_START: CheckpointState = { crossed: [], turns: 0, tokens: 0 }

export type CheckpointCheck = {
  /** Why one is due; null when none is. */
  readonly due: 'threshold' | 'turns' | null
  readonly state: CheckpointState
}

/**
 * Whether a checkpoint is to be written: at each threshold once per cycle, or after so many turns, and never below
 * the least number of tokens.
 */
export function checkCheckpoint(
  policy: Policy,
  now: { readonly tokens: Tokens; readonly window: Tokens; readonly turns: number },
  before: CheckpointState,
): CheckpointCheck {
  const { enabled, at } = policy.lines.checkpoints
  const { everyTurns, minTokens } = policy.summary.checkpoint
  if (!enabled || now.tokens < minTokens) return { due: null, state: before }
  const share = now.tokens / now.window
  const fresh = at.filter((threshold) => share >= threshold - SLACK && !before.crossed.includes(threshold))
  const byTurns = everyTurns > 0 && now.turns - before.turns >= everyTurns
  if (fresh.length === 0 && !byTurns) return { due: null, state: before }
  const state = { crossed: [...before.crossed, ...fresh], turns: now.turns, tokens: now.tokens }
  return { due: fresh.length > 0 ? 'threshold' : 'turns', state }
}

const SLACK = 1e-9

/** A checkpoint as it is kept. */
export type Checkpoint = {
  readonly id: string
  readonly session: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The last entry that it covers. */
  readonly uptoEntryId: string
  readonly uptoSeq: number
  /** Tokens of what it covers, and of itself. */
  readonly covered: number
  readonly tokens: Tokens
  readonly body: CheckpointBody
}

export type CheckpointBody = {
  readonly summary: string
  readonly topics: readonly string[]
  readonly decisions: readonly string[]
  readonly questions: readonly string[]
}

/** Reads what a model answered for a checkpoint; text that is not the JSON it was asked for is kept as the summary. */
export function readCheckpointBody(text: string): CheckpointBody {
  const value = parseObject(/```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text)
  const summary = value === null ? undefined : stringOf(value.summary)
  if (value === null || summary === undefined)
    return { summary: text.trim(), topics: [], decisions: [], questions: [] }
  return {
    summary,
    topics: strings(value.topics),
    decisions: strings(value.decisions),
    questions: strings(value.questions),
  }
}

/** The checkpoint as the text of a summary. */
export function checkpointText({ summary, topics, decisions, questions }: CheckpointBody): string {
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${heading}\n${lines.map((line) => `- ${line}`).join('\n')}`]
  return [
    summary,
    ...section('## Topics', topics),
    ...section('## Decisions', decisions),
    ...section('## Pending user asks', questions),
  ].join('\n\n')
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item: unknown) => stringOf(item) ?? []) : []
}
