import type { EntryFact } from '../../core/transcript/entry'
import type { InspectedSession } from '../../engine/read/inspect-session'
import { TranscriptBuilder } from '../builders/transcript'

/** One entry of a session, as sizes and times alone: its texts are filler of that size. Units are about tokens. */
export type FilledStep =
  | { readonly is: 'user'; readonly units: number; readonly text?: string; readonly gapMs?: number }
  | {
      readonly is: 'call'
      readonly total: number
      readonly read?: number
      readonly write?: number
      readonly output: number
      readonly tools?: readonly string[]
      /** Of its tools, in order; else the log is read. */
      readonly args?: readonly object[]
      /** false: the provider says nothing of what it took. */
      readonly usage?: false
      /** Ends in this error. */
      readonly error?: string
      readonly model?: string
      readonly provider?: string
      readonly api?: string
      readonly gapMs?: number
    }
  /** Of the tool calls before it, in order. */
  | { readonly is: 'result'; readonly units: number; readonly error?: string }
  | { readonly is: 'compaction'; readonly summary: string }
  | { readonly is: 'reset' }
  | { readonly is: 'raw'; readonly line: string }

export type CallStep = Extract<FilledStep, { is: 'call' }>

/** The same numbers for the same seed (mulberry32). */
export class Chance {
  constructor(private state: number) {}

  /** From 0 to 1. */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1))
  }

  between(low: number, high: number): number {
    return low + this.share() * (high - low)
  }

  one<T>(of: readonly T[]): T {
    return of[this.whole(0, of.length - 1)] as T
  }
}

const WORD = 'berth '
const START = Date.UTC(2026, 10, 1, 8)
/** Between two entries where nothing else is said. */
const USUAL_GAP = 20_000

/** The entries as a transcript of OpenClaw. */
export function talkTranscript(steps: readonly FilledStep[]): TranscriptBuilder {
  const builder = new TranscriptBuilder()
  let at = START
  let open: string[] = []
  let calls = 0
  let last = ''
  for (const step of steps) {
    at += ('gapMs' in step ? step.gapMs : undefined) ?? USUAL_GAP
    const over = { timestamp: new Date(at).toISOString() }
    switch (step.is) {
      case 'user':
        last = builder.user(step.text ?? WORD.repeat(Math.max(1, Math.round(step.units))), over)
        break
      case 'call': {
        const tools = step.tools ?? []
        open = tools.map(() => `call${++calls}`)
        last = builder.message(messageOf(step, open), over)
        break
      }
      case 'result': {
        const id = open.shift() ?? 'none'
        const { units, error } = step
        const text = error ?? WORD.repeat(Math.max(1, Math.round(units)))
        const content = [{ type: 'text', text }]
        const message = { role: 'toolResult', toolCallId: id, toolName: toolOf(builder, id), content }
        last = builder.message({ ...message, isError: error !== undefined }, over)
        break
      }
      case 'compaction':
        last = builder.compaction(step.summary, last, over)
        break
      case 'reset':
        builder.entry('reset', { reason: 'new', ...over })
        break
      case 'raw':
        builder.raw(step.line)
        break
    }
  }
  return builder
}

function messageOf(step: CallStep, ids: readonly string[]): { readonly [key: string]: unknown } {
  const { total, read = 0, write = 0, output, tools = [], args = [], error } = step
  const usage = {
    input: total - read - write,
    output,
    cacheRead: read,
    cacheWrite: write,
    cost: { total: 0 },
  }
  return {
    role: 'assistant',
    content: [
      ...(error === undefined
        ? [{ type: 'text', text: WORD.repeat(Math.max(1, Math.min(400, output))) }]
        : []),
      ...tools.map((name, i) => ({
        type: 'toolCall',
        id: ids[i],
        name,
        arguments: args[i] ?? { path: '/w/log.md' },
      })),
    ],
    provider: step.provider ?? 'anthropic',
    model: step.model ?? 'claude-sonnet-4-5',
    ...(step.api === undefined ? {} : { api: step.api }),
    stopReason: error !== undefined ? 'error' : tools.length > 0 ? 'toolUse' : 'stop',
    ...(error !== undefined ? { errorMessage: error } : step.usage === false ? {} : { usage }),
  }
}

/** Tools are named by the calls; the last line that holds the id has it. */
function toolOf(builder: TranscriptBuilder, id: string): string {
  const line = builder.lines.findLast((one) => one.includes(`"${id}"`)) ?? ''
  return new RegExp(`"id":"${id}","name":"([^"]*)"`).exec(line)?.[1] ?? 'exec'
}

/** What a real session was like: its calls with what came before each, sizes and pauses as they were. */
export function stepsOf(session: Pick<InspectedSession, 'facts' | 'frames'>): FilledStep[] {
  const frames = new Map(session.frames.map((frame) => [frame.seq, frame]))
  let before: number | null = null
  return session.facts.flatMap((fact): FilledStep[] => {
    const gapMs = fact.at === null || before === null ? USUAL_GAP : Math.max(0, fact.at - before)
    before = fact.at ?? before
    if (fact.type !== 'message') return []
    if (fact.role === 'user') return [{ is: 'user', units: unitsOf(fact), gapMs }]
    if (fact.role === 'toolResult') return [{ is: 'result', units: unitsOf(fact) }]
    const frame = frames.get(fact.seq)
    if (frame === undefined || frame.total.basis !== 'measured') return []
    const [total, read, write] = [frame.total.value, frame.cacheRead ?? 0, frame.cacheWrite ?? 0]
    const tools = fact.calls?.map(({ name }) => name) ?? []
    return [{ is: 'call', total, read, write, output: frame.output.value ?? 50, tools, gapMs }]
  })
}

function unitsOf({ units = {} }: EntryFact): number {
  return Object.values(units).reduce((sum, part) => sum + part, 0)
}
