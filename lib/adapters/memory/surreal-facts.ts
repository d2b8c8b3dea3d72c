import * as z from 'zod'
import { FACT_STATES, type Fact } from '../../core/memory/fact'
import { termsOf } from '../../core/relevance/tokenize'
import type { FactStore } from '../../engine/knowledge/fact-store'
import type { SurrealConnection } from './surreal-connection'

const texts = z.array(z.string())

// Rows may come from others who write into the same table: what is missing gets a value that claims nothing.
const rowSchema = z.object({
  key: z.string(),
  content: z.string(),
  confidence: z.number().min(0).max(1).catch(0.5),
  source: z.string().catch('unknown'),
  tags: texts.catch([]),
  scope: z.string().nullish().catch(null),
  entities: texts.catch([]),
  relation: z.object({ subject: z.string(), verb: z.string(), object: z.string() }).nullish().catch(null),
  state: z.enum(FACT_STATES).catch('active'),
  replacedBy: z.string().nullish().catch(null),
  at: z.number().catch(0),
  confirmedAt: z.number().catch(0),
})

/** Rows that one statement answers at most; more facts than these about one subject do not help. */
const MOST_ROWS = 5_000

const PREPARE = [
  'DEFINE TABLE IF NOT EXISTS fact SCHEMALESS',
  'DEFINE INDEX IF NOT EXISTS fact_terms ON fact FIELDS terms',
].join('; ')
const PUT = 'FOR $fact IN $facts { UPSERT type::record("fact", $fact.key) CONTENT $fact }'
const REMOVE = 'FOR $key IN $keys { DELETE type::record("fact", $key) }'

/**
 * Facts in a SurrealDB, table `fact`: content, confidence, source and tags, with the words of each
 * for look-ups. Values travel as variables only, never as part of a statement.
 *
 * @example
 * ```ts
 * import { surrealFacts, surrealServer, type SurrealServer } from 'plimsoll-agent'
 *
 * declare const server: SurrealServer
 * const facts = surrealFacts(surrealServer(server))
 * ```
 */
export function surrealFacts(connection: SurrealConnection): FactStore {
  let prepared = false
  const ready = async () => {
    if (!prepared) await connection.query(PREPARE)
    prepared = true
  }
  return {
    name: `SurrealDB at ${connection.place}`,
    find: async ({ terms, scope }) => {
      await ready()
      const wheres = [
        ...(terms === null ? [] : ['terms CONTAINSANY $terms']),
        ...(scope === undefined ? [] : ['(scope IS NONE OR scope IS NULL OR scope = $scope)']),
      ]
      const where = wheres.length === 0 ? '' : ` WHERE ${wheres.join(' AND ')}`
      const sql = `SELECT * OMIT id FROM fact${where} ORDER BY confirmedAt DESC LIMIT ${MOST_ROWS}`
      const [rows] = await connection.query(sql, { terms: terms ?? [], scope: scope ?? null })
      return Array.isArray(rows) ? rows.flatMap(toFact) : []
    },
    put: async (facts) => {
      await ready()
      await connection.query(PUT, { facts: facts.map(toRow) })
    },
    remove: async (ids) => {
      await ready()
      await connection.query(REMOVE, { keys: ids })
    },
  }
}

function toRow({ id, ...fact }: Fact) {
  const words = termsOf([fact.content, ...fact.tags].join('\n'))
  return { ...fact, key: id, terms: [...words] }
}

function toFact(row: unknown): Fact[] {
  const read = rowSchema.safeParse(row)
  if (!read.success) return []
  const { key, scope, relation, replacedBy, ...rest } = read.data
  return [
    { ...rest, id: key, scope: scope ?? null, relation: relation ?? null, replacedBy: replacedBy ?? null },
  ]
}
