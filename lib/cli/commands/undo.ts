import type { Policy } from '../../core/policy/policy'
import { logUndo, recoveryUndoneBy, type TouchedRecovery } from '../../engine/log-undo'
import type { Receipt } from '../../engine/receipt'
import { undoWrite } from '../../engine/undo-write'
import type { Writer } from '../../engine/write-ports'
import type { Setup } from '../../wire'
import { openLog } from '../../wire/logs'
import { coldPlaces, placeOfChunk, policiesInForce, withColdPlaces } from '../cold-places'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { filesText, openWriterOrFail, patiently, receiptOrFail } from '../open-writer'
import { note, write, writeJson } from '../output'
import { setupOrFail } from '../setup-or-fail'

export type UndoOptions = { readonly receipt: string; readonly json?: boolean }

/** Takes a write back, byte for byte, or refuses with the reason. */
export async function undo(io: Io, options: UndoOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const writer = await openWriterOrFail(io, setup)
  const id = chooseReceipt(await writer.receipts.ids(), options.receipt)
  const result = await undoWrite(writer, { receipt: id, actor: 'cli', wait: patiently(io) })
  const receipt = await receiptOrFail(io, result)
  if (receipt !== null) await noteInLog(io, writer, receipt)
  const files = receipt?.files ?? []
  if (options.json) {
    await writeJson(io, {
      receipt: receipt?.id ?? null,
      undoes: id,
      files: files.map(({ path, before, after, backup }) => ({
        file: path,
        before: before?.hash ?? null,
        after: after?.hash ?? null,
        backup,
      })),
      verified: receipt?.verified ?? false,
    })
  } else if (receipt === null) {
    await write(io.stdout, `Nothing changed: the files hold already what they held before ${id}.\n`)
  } else {
    await write(
      io.stdout,
      `Taken back: ${id}. As it was before, byte for byte: ${filesText(receipt)}.\n"plimsoll undo ${receipt.id}" takes this back in turn.\n`,
    )
  }
  return EXIT.done
}

/** The write is taken back already: whatever goes wrong with the log is only said. */
async function noteInLog(io: Io, writer: Writer, receipt: Receipt): Promise<void> {
  const recovery = await recoveryUndoneBy(writer.receipts, receipt)
  if (recovery === null) return
  try {
    const setup = setupOrFail(io)
    const { logs } = await policyOfChunk(io, setup, recovery)
    const problem = await logUndo(openLog(setup)(logs), recovery)
    if (problem !== null) await note(io, problem)
  } catch (error) {
    await note(io, `The log of recoveries says nothing of it: ${String(error)}`)
  }
}

/** The policy whose log has the recovery: that of the folder with the chunk. One that is gone tells no place. */
async function policyOfChunk(io: Io, setup: Setup, { chunkId, sessionId }: TouchedRecovery): Promise<Policy> {
  const policies = await policiesInForce(io, {})
  const places = coldPlaces(io, policies)
  const named = await withColdPlaces(setup, places, (finder) => finder.named(chunkId))
  const chunk = named.find((one) => one.sessionId === sessionId)
  return chunk === undefined ? policies[0] : placeOfChunk(places, chunk).policy
}

/** A whole id, or the beginning or the end of one, as long as only one has it. */
function chooseReceipt(ids: readonly string[], wanted: string): string {
  if (ids.includes(wanted)) return wanted
  const matches = ids.filter((id) => wanted !== '' && (id.startsWith(wanted) || id.endsWith(wanted)))
  const [only, ...more] = matches
  if (only !== undefined && more.length === 0) return only
  const known = matches.length > 0 ? matches : ids
  const candidates = known.slice(0, 10)
  const problem = matches.length > 0 ? `fits ${matches.length} receipts` : 'is no receipt'
  const hint = candidates.length === 0 ? 'Nothing was ever written.' : `For example: ${candidates.join(', ')}`
  throw new CliError(EXIT.usage, `"${wanted}" ${problem}. ${hint}`, { candidates })
}
