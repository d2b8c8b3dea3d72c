import { openReceipts, verifyAudit } from '../../../compose/writer'
import type { AuditCheck } from '../../../core/audit/audit-check'
import { reasonOf } from '../../../core/words/reason-of'
import type { ReadReceipt } from '../../../engine/write/write-ports'
import { auditCheckText } from '../../../view/audit/audit-check'
import { absoluteTimeUtc } from '../../../view/text/time'
import { setupOrFail } from '../../choose/setup-or-fail'
import { EXIT, type ExitCode, type Io } from '../../io'
import { filesText } from '../../open-writer'
import { timeJson } from '../../print/figure-json'
import { note, write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

export type AuditOptions = {
  readonly json?: boolean
  readonly limit: number
  /** Follows the chain of the log instead. */
  readonly verify?: boolean
}

/** Lists what was ever written to a store, newest first, straight from the receipts; says of each whether it is proved. */
export async function audit(io: Io, options: AuditOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  if (options.verify) return verify(io, await verifyAudit(setup), options)
  const store = openReceipts(setup)
  const ids = await store.ids()
  const receipts: ReadReceipt[] = []
  for (const id of ids.slice(0, options.limit)) {
    try {
      const read = await store.read(id)
      if (read !== null) receipts.push(read)
    } catch (error) {
      await note(io, reasonOf(error))
    }
  }
  if (options.json) {
    const writes = receipts.map(({ receipt, proof }) => ({
      ...receipt,
      at: timeJson(receipt.at),
      proof: proof.kind,
      notProvedBecause: proof.kind === 'not-proved' ? proof.why : null,
    }))
    await writeJson(io, { total: ids.length, writes })
  } else await write(io.stdout, toText(receipts, ids.length))
  return EXIT.done
}

async function verify(io: Io, check: AuditCheck, { json }: AuditOptions): Promise<ExitCode> {
  if (json) {
    const { receipts, ...rest } = check
    await writeJson(io, { ...rest, receipts: receipts.size })
  } else
    await write(
      io.stdout,
      auditCheckText(check)
        .map((line) => `${toTerminal(line)}\n`)
        .join(''),
    )
  return check.ok ? EXIT.done : EXIT.no
}

/** What is not proved is shown apart from what is. */
function stateOf({ receipt: { state }, proof }: ReadReceipt): string {
  return proof.kind === 'proved' ? state : proof.kind === 'older' ? `${state}, not signed` : 'not proved'
}

function toText(receipts: readonly ReadReceipt[], total: number): string {
  if (total === 0) return 'Plimsoll has never written to a store.\n'
  const table = renderTable(receipts, [
    { title: 'RECEIPT', cell: ({ receipt: { id } }) => id },
    { title: 'TIME (UTC)', cell: ({ receipt: { at } }) => absoluteTimeUtc(at) },
    { title: 'KIND', cell: ({ receipt: { kind } }) => kind },
    { title: 'STATE', cell: stateOf },
    { title: 'BY', cell: ({ receipt: { actor } }) => actor, max: 16 },
    { title: 'FILE', cell: ({ receipt }) => filesText(receipt) },
    { title: 'WHY', cell: whyOf, max: 60 },
  ])
  const more = total > receipts.length ? `${total - receipts.length} older ones: --limit ${total}\n` : ''
  return `${table}${more}`
}

function whyOf({ receipt: { reason, problem }, proof }: ReadReceipt): string {
  return proof.kind === 'not-proved' ? proof.why : (problem ?? reason)
}
