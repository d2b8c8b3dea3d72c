import type { Setup } from '../compose/open'
import { lockWaitMs, openWriter } from '../compose/writer'
import type { Receipt, WriteResult } from '../engine/write/receipt'
import { describeOwner } from '../engine/write/refusal'
import type { Writer } from '../engine/write/write-ports'
import type { WaitOptions } from '../engine/write/write-requests'
import { formatQuantity } from '../view/text/format'
import { CliError, EXIT, type Io } from './io'
import { note } from './print/output'

/** The way to write to stores. What an earlier process had left unfinished is recovered first, and reported. */
export async function openWriterOrFail(io: Io, setup: Setup): Promise<Writer> {
  const opened = await openWriter(setup)
  if (!opened.ok) throw new CliError(EXIT.refused, opened.message)
  const { settled, waiting, leftAlone } = opened.settled
  for (const text of leftAlone) await note(io, text)
  for (const { id, state, problem } of settled) {
    await note(io, `The interrupted write ${id} is settled: ${problem ?? `it is ${state}`}`)
  }
  for (const { receipt, why } of waiting) {
    await note(io, `The interrupted write ${receipt} cannot be settled yet: ${why}`)
  }
  return opened.writer
}

/** Waits for a lock as long as OpenClaw would here (10 s, unless its variable says otherwise), and says for whom. */
export function patiently(io: Io): WaitOptions {
  const waitMs = lockWaitMs(io.env)
  const limit = Number.isFinite(waitMs) ? ` up to ${waitMs / 1000} s` : ''
  return {
    waitMs,
    onWait: (owner) => void note(io, `Waiting${limit} for ${describeOwner(owner)} …`),
  }
}

/** The receipt of a write that was done, with its notes printed; null when nothing had to be changed. */
export async function receiptOrFail(io: Io, result: WriteResult): Promise<Receipt | null> {
  switch (result.kind) {
    case 'done':
      for (const text of result.notes) await note(io, text)
      return result.receipt
    case 'unchanged':
      return null
    case 'refused':
      throw new CliError(EXIT.refused, result.refusal.message, { reason: result.refusal.code })
  }
}

/** Names of what was written, for a line of text. */
export function filesText({ files, by }: Receipt): string {
  const [first, ...others] = files
  if (by === 'openclaw') return "OpenClaw's database"
  if (first === undefined) return 'no file'
  return others.length === 0 ? first.path : `${first.path} and ${formatQuantity(others.length, 'other file')}`
}
