import { REQUIRED_HEADINGS } from '../core/summary/audit'
import type { Summarizer, SummarizerReply, SummarizerRequest } from '../engine/summary/summarizer'
import type { ChainPorts } from '../engine/summary/summary-chain'

/** A summariser that answers from a list, the last entry again and again, and remembers what it was asked. */
export function scriptedSummarizer(
  name: string,
  replies: readonly (string | Partial<Extract<SummarizerReply, { ok: false }>>)[],
): Summarizer & { readonly asked: SummarizerRequest[] } {
  const asked: SummarizerRequest[] = []
  return {
    name,
    asked,
    summarize: async (request) => {
      const reply = replies[Math.min(asked.length, replies.length - 1)] ?? ''
      asked.push(request)
      if (typeof reply === 'string') return { ok: true, text: reply, usage: { input: 100, output: 10 } }
      return { ok: false, fault: 'http', message: `${name} is down.`, again: false, ...reply }
    },
  }
}

/** Time that passes only where something waits. */
export function standingClock(
  start = 0,
): ChainPorts & { readonly pauses: number[]; advance(ms: number): void } {
  let now = start
  const pauses: number[] = []
  return {
    pauses,
    clock: { now: () => now },
    chance: () => 0.5,
    pause: async (ms) => {
      pauses.push(ms)
      now += ms
    },
    advance: (ms) => {
      now += ms
    },
  }
}

/** A summary that passes the audit as far as `body` holds what it asks for. */
export function soundSummary(body: string): string {
  return REQUIRED_HEADINGS.map((heading) => `${heading}\n- ${body}`).join('\n\n')
}
