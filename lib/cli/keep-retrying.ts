import { setTimeout as wait } from 'node:timers/promises'
import { PendingSummaries } from '../engine/pending-summaries'
import { openReceipts } from '../wire/writer'
import type { Io } from './io'
import { note } from './output'
import { retriedText, retryPending } from './pending-summaries'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** How often receipts are looked through. Milliseconds. */
const LOOK_EVERY = 15_000

/**
 * Fills summaries that no model wrote, each as often as its policy's `summary.retryMs` says, until it is stopped (D25).
 * What goes wrong is told; the process goes on.
 */
export async function keepRetrying(io: Io, signal: AbortSignal, lookEvery = LOOK_EVERY): Promise<void> {
  const asked = new Map<string, number>()
  const given = new Set<string>()
  let pending: PendingSummaries | null = null
  while (!signal.aborted) {
    try {
      pending ??= new PendingSummaries(openReceipts(setupOrFail(io)))
      const waiting = (await pending.list()).filter(({ id }) => !given.has(id))
      if (waiting.length > 0) {
        const some = { list: async () => waiting }
        const dueAt = (receipt: { readonly id: string; readonly at: number }, retryMs: number) => {
          const due = Date.now() >= (asked.get(receipt.id) ?? receipt.at) + retryMs
          if (due) asked.set(receipt.id, Date.now())
          return due
        }
        const options = { policy: undefined, actor: 'dashboard', signal, within: null, dueAt }
        for await (const one of retryPending(io, await openSources(io, undefined), some, options)) {
          if (one.result.kind === 'superseded') given.add(one.receipt.id)
          await note(io, retriedText(one))
        }
      }
    } catch (error) {
      await note(io, `Pending summaries: ${error instanceof Error ? error.message : String(error)}`)
    }
    await wait(lookEvery, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
