import type { Fact } from '../../core/memory/fact'
import type { FactMirror } from '../../engine/fact-store'
import { insertInto } from '../insert-into'
import type { LocalConnection, SqlValue } from '../local-connection'

const NAMES = [
  'id',
  'content',
  'confidence',
  'source',
  'scope',
  'tagsJson',
  'entitiesJson',
  'relationJson',
  'state',
  'replacedBy',
  'at',
  'confirmedAt',
] as const
const SELECT = `SELECT ${NAMES.map((name) => `"${name}"`).join(', ')} FROM "Fact"`
const PUT = insertInto('Fact', `${NAMES.join(' ')} revision`, 'INSERT OR REPLACE')
const NOTE = insertInto('PendingFact', 'id what', 'INSERT OR REPLACE')

export type FactRowsOptions = {
  /** Keep what another store has to get (see engine/mirrored-facts.ts); without one nothing is kept for it. */
  readonly mirrors?: boolean
}

/** The facts of the project's own database (L3). Changes of one call stand together, or not at all. */
export function factRows(connection: LocalConnection, { mirrors = false }: FactRowsOptions = {}): FactMirror {
  const note = (id: string, what: 'put' | 'removed') => {
    if (mirrors) connection.run(NOTE, [id, what])
  }
  const putAll = (facts: readonly Fact[]) => {
    const [newest] = connection.run('SELECT MAX("revision") FROM "Fact"').rows
    let revision = Number(newest?.[0] ?? 0)
    for (const fact of facts) connection.run(PUT, [...valuesOf(fact), ++revision])
  }
  return {
    name: 'database',
    find: async ({ scope }) => {
      const { rows } =
        scope === undefined
          ? connection.run(SELECT)
          : connection.run(`${SELECT} WHERE "scope" IS NULL OR "scope" = ?`, [scope])
      return rows.map(toFact)
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
      const { rows } = connection.run('SELECT "id", "what", "seq" FROM "PendingFact" ORDER BY "seq"')
      const put = rows.flatMap(([id, what]) =>
        what === 'put' ? connection.run(`${SELECT} WHERE "id" = ?`, [id ?? null]).rows.map(toFact) : [],
      )
      const removed = rows.flatMap(([id, what]) => (what === 'removed' ? [String(id)] : []))
      return { put, removed, upto: Number(rows.at(-1)?.[2] ?? 0) }
    },
    settle: (upto) =>
      connection.write(() => {
        connection.run('DELETE FROM "PendingFact" WHERE "seq" <= ?', [upto])
      }),
    adopt: (facts) =>
      connection.write(() => {
        const waiting = new Set(
          connection.run('SELECT "id" FROM "PendingFact"').rows.map(([id]) => String(id)),
        )
        // Everything that is looked up comes by here: what stands here already is not written again.
        const known = new Map(connection.run(SELECT).rows.map((row) => [String(row[0]), textOf(toFact(row))]))
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

function toFact(row: readonly SqlValue[]): Fact {
  const of = (name: (typeof NAMES)[number]) => row[NAMES.indexOf(name)] ?? null
  const text = (name: (typeof NAMES)[number]) => String(of(name) ?? '')
  const textOrNull = (name: (typeof NAMES)[number]) => (of(name) === null ? null : text(name))
  const relation = textOrNull('relationJson')
  // Written by us, above.
  return {
    id: text('id'),
    content: text('content'),
    confidence: Number(of('confidence')),
    source: text('source'),
    scope: textOrNull('scope'),
    tags: JSON.parse(text('tagsJson')) as Fact['tags'],
    entities: JSON.parse(text('entitiesJson')) as Fact['entities'],
    relation: relation === null ? null : (JSON.parse(relation) as Fact['relation']),
    state: text('state') as Fact['state'],
    replacedBy: textOrNull('replacedBy'),
    at: Number(of('at')),
    confirmedAt: Number(of('confirmedAt')),
  }
}
