import * as z from 'zod'
import type { Json } from '../../engine/jobs/job-ports'
import type { ExperimentRow, ExperimentRows } from '../../engine/replay/replay-ports'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { json, rowOf, rowsOf } from '../rows'

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
const PUT = insertInto('Experiment', Object.keys(WHOLE.shape).join(' '), 'INSERT OR REPLACE')

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
    put: ({ id, name, createdAt, spec, job, outcome, progress }) =>
      connection.write(() => {
        const { endedAt, hash, result } = outcome ?? { endedAt: null, hash: null, result: null }
        const resultJson = outcome === null ? null : JSON.stringify(result)
        const progressJson = progress === null ? null : JSON.stringify(progress)
        connection.run(PUT, [
          ...[id, name, createdAt, JSON.stringify(spec), job, endedAt, hash, resultJson],
          progressJson,
        ])
      }),
    remove: (id) =>
      connection.write(
        () => connection.run(`DELETE FROM "Experiment" WHERE "id" = ?`, [id]).rowsAffected > 0,
      ),
  }
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
