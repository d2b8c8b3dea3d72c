import * as z from 'zod'
import { FACT_STATES, type Fact } from '../../core/memory/fact'
import type { FactMirror } from '../../engine/knowledge/fact-store'
import type { Connection, SqlResult } from '../connection'
import { insertInto } from '../insert-into'
import { figureOf, json, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'

const TEXTS = json(z.array(z.string()))
const FACT = z.object({
  id: z.string(),
  content: z.string(),
  confidence: z.number(),
  source: z.string(),
  scope: z.string().nullable(),
  tagsJson: TEXTS,
  entitiesJson: TEXTS,
  relationJson: json(z.object({ subject: z.string(), verb: z.string(), object: z.string() })).nullable(),
  state: z.enum(FACT_STATES),
  replacedBy: z.string().nullable(),
  at: z.number(),
  confirmedAt: z.number(),
})
const PENDING = z.object({ seq: z.number(), id: z.string(), what: z.enum(['put', 'removed']) })
const NAMES = Object.keys(FACT.shape)
const SELECT = `SELECT ${NAMES.map((name) => `"${name}"`).join(', ')} FROM "Fact"`
const PUT = insertInto('Fact', `${NAMES.join(' ')} revision`, 'INSERT OR REPLACE')
const NOTE = insertInto('PendingFact', 'id what', 'INSERT OR REPLACE')

export type FactRowsOptions = {
  /** Keep what another store has to get (see engine/mirrored-facts.ts); without one nothing is kept for it. */
  readonly mirrors?: boolean
}

/** The facts of the project's own database. Changes of one call are made together, or not at all. */
export function factRows(connection: Connection, { mirrors = false }: FactRowsOptions = {}): FactMirror {
  const note = (id: string, what: 'put' | 'removed') => {
    if (mirrors) connection.run(NOTE, [id, what])
  }
  const putAll = (facts: readonly Fact[]) => {
    let revision = figureOf(connection.run('SELECT MAX("revision") AS n FROM "Fact"'))
    for (const fact of facts) connection.run(PUT, [...valuesOf(fact), ++revision])
  }
  const pendingRows = () =>
    rowsOf(PENDING, connection.run('SELECT "id", "what", "seq" FROM "PendingFact" ORDER BY "seq"'))
  return {
    name: 'database',
    find: async ({ scope }) => {
      if (scope === undefined) return factsOf(connection.run(SELECT))
      return factsOf(connection.run(`${SELECT} WHERE "scope" IS NULL OR "scope" = ?`, [scope]))
    },
    put: (facts) =>
      connection.write(() => {
        putAll(facts)
        for (const { id } of facts) note(id, 'put')
      }),
    remove: (ids) =>
      connection.write(() => {
        for (const id of ids) {
          connection.run('DELETE FROM "Fact" WHERE "id" = ?', [id])
          note(id, 'removed')
        }
      }),
    pending: async () => {
      const rows = pendingRows()
      const put = rows.flatMap(({ id, what }) =>
        what === 'put' ? factsOf(connection.run(`${SELECT} WHERE "id" = ?`, [id])) : [],
      )
      const removed = rows.flatMap(({ id, what }) => (what === 'removed' ? [id] : []))
      return { put, removed, upto: rows.at(-1)?.seq ?? 0 }
    },
    settle: (upto) =>
      connection.write(() => {
        connection.run('DELETE FROM "PendingFact" WHERE "seq" <= ?', [upto])
      }),
    adopt: (facts) =>
      connection.write(() => {
        const waiting = new Set(pendingRows().map(({ id }) => id))
        // Everything that is looked up comes by here: what is here already is not written again.
        const known = new Map(factsOf(connection.run(SELECT)).map((fact) => [fact.id, textOf(fact)]))
        const news = facts.filter((fact) => !waiting.has(fact.id) && known.get(fact.id) !== textOf(fact))
        if (news.length > 0) putAll(news)
      }),
  }
}

function valuesOf(fact: Fact): SqlValue[] {
  const { id, content, confidence, source, scope, tags, entities, relation, state, replacedBy } = fact
  const related = relation === null ? null : JSON.stringify(relation)
  const lists = [JSON.stringify(tags), JSON.stringify(entities), related]
  return [id, content, confidence, source, scope, ...lists, state, replacedBy, fact.at, fact.confirmedAt]
}

function textOf(fact: Fact): string {
  return JSON.stringify(valuesOf(fact))
}

/** In the order of keys that documents show. */
function factsOf(answer: SqlResult): Fact[] {
  return rowsOf(FACT, answer).map((row) => ({
    id: row.id,
    content: row.content,
    confidence: row.confidence,
    source: row.source,
    scope: row.scope,
    tags: row.tagsJson,
    entities: row.entitiesJson,
    relation: row.relationJson,
    state: row.state,
    replacedBy: row.replacedBy,
    at: row.at,
    confirmedAt: row.confirmedAt,
  }))
}
