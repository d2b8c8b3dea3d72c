import 'server-only'
import { type CsvCell, csvRows } from '../../view/text/csv'

/** CSV with a heading, or one JSON object per line. */
type ExportForm = 'csv' | 'json'

/** What an export writes: the names of its columns, and its rows, some at a time, until none is left. */
export type ExportedTable = {
  /** Of the file, without its ending. */
  readonly name: string
  readonly columns: readonly string[]
  /** The rows after the first `skip`; fewer than before, or none, at the end. */
  readonly read: (skip: number) => Promise<readonly (readonly CsvCell[])[]>
  /** How many rows `read` gives while more follow. */
  readonly atOnce: number
}

/** A table as a download, written while it is read. */
export function exportRows(request: Request, table: ExportedTable): Response {
  const form: ExportForm = new URL(request.url).searchParams.get('form') === 'json' ? 'json' : 'csv'
  const { name, columns, read, atOnce } = table
  const encoder = new TextEncoder()
  let skip = 0
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (form === 'csv') controller.enqueue(encoder.encode(csvRows([columns])))
    },
    async pull(controller) {
      const rows = await read(skip)
      skip += rows.length
      const text = form === 'csv' ? csvRows(rows) : rows.map((row) => jsonLine(columns, row)).join('')
      if (rows.length > 0) controller.enqueue(encoder.encode(text))
      if (rows.length < atOnce) controller.close()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${name}.${form === 'csv' ? 'csv' : 'jsonl'}"`,
    },
  })
}

function jsonLine(columns: readonly string[], row: readonly CsvCell[]): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])))}\n`
}
