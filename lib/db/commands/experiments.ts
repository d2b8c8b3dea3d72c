import * as z from 'zod'
import type { Json } from '../../engine/jobs/job-ports'
import type { ExperimentChange, ExperimentRow, ExperimentRows } from '../../engine/replay/replay-ports'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { json, rowOf, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'

const DATA: z.ZodType<Json> = z.json()
const HEAD = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  specJson: json(DATA),
  job: z.string().nullable(),
})
const WHOLE = HEAD.extend({
  endedAt: z.number().nullable(),
  hash: z.string().nullable(),
  resultJson: json(DATA).nullable(),
  progressJson: json(DATA).nullable(),
})
const COLUMNS = WHOLE.keyof().options
const PUT = insertInto('Experiment', COLUMNS.join(' '), 'INSERT OR REPLACE')

/** The table of experiments. */
export function experimentRows(connection: Connection): ExperimentRows {
  return {
    list: (limit) =>
      rowsOf(
        HEAD,
        connection.run(
          `SELECT ${columnsOf(HEAD)} FROM "Experiment" ORDER BY "createdAt" DESC, "id" DESC LIMIT ?`,
          [limit],
        ),
      ).map(({ specJson, ...head }) => ({ ...head, spec: specJson })),
    find: (id) => {
      const found = rowOf(
        WHOLE,
        connection.run(`SELECT ${columnsOf(WHOLE)} FROM "Experiment" WHERE "id" = ?`, [id]),
      )
      return found === null ? null : experimentOf(found)
    },
    put: ({ id, createdAt, spec, ...rest }) =>
      connection.write(() => {
        const cells = { id, createdAt, specJson: JSON.stringify(spec), ...cellsOf(rest) }
        connection.run(
          PUT,
          COLUMNS.map((column) => cells[column] ?? null),
        )
      }),
    change: (id, change) =>
      connection.write(() => {
        const cells = Object.entries(cellsOf(change))
        const sets = cells.map(([column]) => `"${column}" = ?`).join(', ')
        const sql = `UPDATE "Experiment" SET ${sets} WHERE "id" = ?`
        return connection.run(sql, [...cells.map(([, value]) => value), id]).rowsAffected > 0
      }),
    remove: (id) =>
      connection.write(
        () => connection.run(`DELETE FROM "Experiment" WHERE "id" = ?`, [id]).rowsAffected > 0,
      ),
  }
}

type Column = (typeof COLUMNS)[number]

/** The columns of what is given of an experiment. */
function cellsOf({ outcome, progress, ...plain }: ExperimentChange): { [C in Column]?: SqlValue } {
  const ended = outcome ?? { endedAt: null, hash: null, result: null }
  return {
    ...plain,
    ...(outcome !== undefined && {
      ...{ endedAt: ended.endedAt, hash: ended.hash, resultJson: textOf(ended.result) },
    }),
    ...(progress !== undefined && { progressJson: textOf(progress) }),
  }
}

function textOf(value: Json): string | null {
  return value === null ? null : JSON.stringify(value)
}

function experimentOf({
  specJson,
  endedAt,
  hash,
  resultJson,
  progressJson,
  ...head
}: z.output<typeof WHOLE>): ExperimentRow {
  const ended = endedAt === null || hash === null ? null : { endedAt, hash, result: resultJson }
  return { ...head, spec: specJson, outcome: ended, progress: progressJson }
}

function columnsOf(shape: z.ZodObject): string {
  return Object.keys(shape.shape)
    .map((name) => `"${name}"`)
    .join(', ')
}
