import { setTimeout as wait } from 'node:timers/promises'
import { openReceipts } from '../compose/writer'
import { reasonOf } from '../core/words/reason-of'
import { PendingSummaries } from '../engine/compaction/pending-summaries'
import { retryPending } from '../engine/compaction/retry-pending'
import { askedSentence } from '../view/compaction/compact-plan'
import { setupOrFail } from './choose/setup-or-fail'
import { openSources } from './choose/sources'
import type { Io } from './io'
import { retriedText, retryPorts } from './pending-summaries'
import { note } from './print/output'

/** How often receipts are searched. Milliseconds. */
const CHECK_EVERY_MS = 15_000

/**
 * Fills summaries that no model wrote, each as often as its policy's `summary.retryMs` says, until it is stopped.
 * What goes wrong is reported; the process goes on.
 */
export async function keepRetrying(
  io: Io,
  signal: AbortSignal,
  checkEveryMs = CHECK_EVERY_MS,
): Promise<void> {
  const asked = new Map<string, number>()
  const given = new Set<string>()
  // A summary that waits is asked for again and again, and said to wait once.
  const said = new Map<string, string>()
  let pending: PendingSummaries | null = null
  while (!signal.aborted) {
    try {
      pending ??= new PendingSummaries(openReceipts(setupOrFail(io)))
      const waiting = (await pending.list()).filter(({ id }) => !given.has(id))
      if (waiting.length > 0) {
        const ports = retryPorts(io, await openSources(io, undefined), {})
        const retrying = retryPending(
          { ...ports, pending: { list: async () => waiting } },
          {
            actor: 'dashboard',
            signal,
            within: null,
            dueAt: (receipt, retryMs) => {
              const due = Date.now() >= (asked.get(receipt.id) ?? receipt.at) + retryMs
              if (due) asked.set(receipt.id, Date.now())
              return due
            },
            onAsk: (name, sent, models) => void note(io, `${name}: ${askedSentence(models, sent)}`),
          },
        )
        for await (const one of retrying) {
          if (one.result.kind === 'superseded') given.add(one.receipt.id)
          const text = retriedText(one)
          if (said.get(one.receipt.id) !== text) await note(io, text)
          said.set(one.receipt.id, text)
        }
      }
    } catch (error) {
      await note(io, `Pending summaries: ${reasonOf(error)}`)
    }
    await wait(checkEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
