import type { Receipt } from '../../engine/receipt'
import { absoluteTimeUtc } from '../../view/time'
import { openReceipts } from '../../wire/writer'
import { timeJson } from '../figure-json'
import { EXIT, type ExitCode, type Io } from '../io'
import { filesText } from '../open-writer'
import { note, write, writeJson } from '../output'
import { setupOrFail } from '../setup-or-fail'
import { renderTable } from '../table'

export type AuditOptions = { readonly json?: boolean; readonly limit: number }

/** Lists what was ever written to a store, newest first, straight from the receipts. */
export async function audit(io: Io, options: AuditOptions): Promise<ExitCode> {
  const store = openReceipts(setupOrFail(io))
  const ids = await store.ids()
  const receipts: Receipt[] = []
  for (const id of ids.slice(0, options.limit)) {
    try {
      const receipt = await store.get(id)
      if (receipt !== null) receipts.push(receipt)
    } catch (error) {
      await note(io, error instanceof Error ? error.message : String(error))
    }
  }
  if (options.json) {
    const writes = receipts.map((receipt) => ({ ...receipt, at: timeJson(receipt.at) }))
    await writeJson(io, { total: ids.length, writes })
  } else await write(io.stdout, toText(receipts, ids.length))
  return EXIT.done
}

function toText(receipts: readonly Receipt[], total: number): string {
  if (total === 0) return 'Plimsoll has never written to a store.\n'
  const table = renderTable(receipts, [
    { title: 'RECEIPT', cell: ({ id }) => id },
    { title: 'TIME (UTC)', cell: ({ at }) => absoluteTimeUtc(at) },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: 'STATE', cell: ({ state }) => state },
    { title: 'BY', cell: ({ actor }) => actor, max: 16 },
    { title: 'FILE', cell: filesText },
    { title: 'WHY', cell: ({ reason, problem }) => problem ?? reason, max: 60 },
  ])
  const more = total > receipts.length ? `${total - receipts.length} older ones: --limit ${total}\n` : ''
  return `${table}${more}`
}
