import { coldPlaces, withColdPlaces } from '../../../compose/cold/cold'
import { openLog } from '../../../compose/logs'
import { withFullStop } from '../../../core/words/full-stop'
import { undoReceipt } from '../../../engine/cold/undo-receipt'
import type { UnsignedLeave } from '../../../engine/write/proved-receipt'
import { recoverWrite } from '../../../engine/write/recover-writes'
import { Refused } from '../../../engine/write/refusal'
import type { Writer } from '../../../engine/write/write-ports'
import { policiesFor } from '../../choose/chosen-policy'
import { knownRoots } from '../../choose/known-roots'
import { setupOrFail } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { filesText, openWriterOrFail, patiently, receiptOrFail } from '../../open-writer'
import { write, writeJson } from '../../print/output'

export type UndoOptions = {
  readonly receipt: string
  readonly json?: boolean
  /** Also a receipt that was written before receipts were signed. */
  readonly unsigned?: boolean
}

/** Takes a write back, byte for byte, or refuses with the reason. */
export async function undo(io: Io, options: UndoOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const writer = await openWriterOrFail(io, setup)
  const id = chooseReceipt(await writer.receipts.ids(), options.receipt)
  const unsigned = options.unsigned ? { roots: await knownRoots(io) } : undefined
  if (unsigned !== undefined && (await isOpen(writer, id)))
    return settleUnsigned(io, writer, options, id, unsigned)
  const cold = async () => {
    const places = coldPlaces(setup, await policiesFor(io, {}))
    const named = (chunk: string) => withColdPlaces(setup, places, (finder) => finder.named(chunk))
    return { places, named }
  }
  const result = await undoReceipt(
    { writer, cold, openLog: openLog(setup) },
    { receipt: id, actor: 'cli', wait: patiently(io), ...(unsigned === undefined ? {} : { unsigned }) },
  )
  const receipt = await receiptOrFail(io, result)
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

async function isOpen({ receipts }: Writer, id: string): Promise<boolean> {
  const state = (await receipts.get(id))?.state
  return state === 'preparing' || state === 'pending'
}

/** Ends an interrupted write of before receipts were signed, which no start does automatically. */
async function settleUnsigned(
  io: Io,
  writer: Writer,
  { json }: UndoOptions,
  id: string,
  unsigned: UnsignedLeave,
): Promise<ExitCode> {
  const settled = await recoverWrite(writer, id, unsigned).catch((error: unknown) => {
    if (error instanceof Refused)
      throw new CliError(EXIT.refused, error.message, { reason: error.refusal.code })
    throw error
  })
  if (typeof settled === 'string') throw new CliError(EXIT.refused, `${id} cannot be settled yet: ${settled}`)
  const said = settled?.problem ?? `it is ${settled?.state ?? 'ended'}`
  if (json) await writeJson(io, { receipt: id, settled: settled?.state ?? null })
  else await write(io.stdout, `The interrupted write ${id} is settled: ${withFullStop(said)}\n`)
  return EXIT.done
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
  throw new CliError(EXIT.usage, `"${wanted}" ${withFullStop(problem)} ${hint}`, { candidates })
}
