import * as z from 'zod'
import type { Connection, SqlResult } from './connection'
import { type SqlValue, toSqlValue } from './sql-value'

/** A query and the database do not fit: a column is missing, or holds what it must not. */
export class RowShapeError extends Error {
  readonly code = 'DATABASE_ROWS'
}

/** What `Prisma.sql` makes of a template: a `?` for each value. */
type Query = { readonly sql: string; readonly values: readonly unknown[] }

/** How a column of an answer is read. */
type Column = {
  readonly name: string
  readonly index: number
  readonly type: z.core.$ZodType
  /** What `type` takes as it is, of TEXT, NUMBER and NULL; 0 when it has to be asked. */
  readonly plain: number
}

type Plan = {
  /** The columns of the answer. */
  readonly of: readonly string[]
  readonly columns: readonly Column[]
  /** An object with every key: a copy of it is filled in half the time that an empty one takes. */
  readonly blank: Readonly<Record<string, unknown>>
}

const TEXT = 1
const NUMBER = 2
const NULL = 4

/** The columns of a shape in the answers of the statement that asked for it last. */
const plans = new WeakMap<z.ZodObject, Plan>()

/**
 * The rows of an answer as objects of a shape. A key of the shape is the name of a column, and other columns are left
 * out. Plain texts and numbers are examined without zod, in half the time; a number of any size is one, an infinite sum
 * too.
 * @throws RowShapeError when a column is missing, even without any row, or a value is not of the shape
 */
export function rowsOf<S extends z.ZodObject>(shape: S, { columns, rows }: SqlResult): z.output<S>[] {
  const { columns: wanted, blank } = planOf(shape, columns)
  return rows.map((row) => {
    const object: Record<string, unknown> = { ...blank }
    for (const column of wanted) object[column.name] = read(column, row[column.index] ?? null)
    // Every value was read by the type that the shape has for it, which TypeScript cannot follow through a loop.
    return object as z.output<S>
  })
}

/** The first row; null when there is none. */
export function rowOf<S extends z.ZodObject>(shape: S, answer: SqlResult): z.output<S> | null {
  return rowsOf(shape, answer)[0] ?? null
}

/** The rows of a query that was put together with `Prisma.sql`, asked past Prisma. */
export function rowsOfSql<S extends z.ZodObject>(
  shape: S,
  connection: Connection,
  { sql, values }: Query,
): z.output<S>[] {
  return rowsOf(shape, connection.run(sql, values.map(toSqlValue)))
}

/** The one figure that a query asks for; 0 when it is NULL, or there is no row. */
export function figureOf({ rows }: SqlResult): number {
  const figure = rows[0]?.[0] ?? 0
  if (typeof figure !== 'number') throw new RowShapeError('A query of the database asks for no number')
  return figure
}

/** A column of JSON, checked by a shape. */
export function json<T>(shape: z.ZodType<T>) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape)
}

/** A column of 0 and 1. */
export const FLAG = z.number().transform((value) => value === 1)

function planOf(shape: z.ZodObject, columns: readonly string[]): Plan {
  const known = plans.get(shape)
  if (known?.of === columns) return known
  const wanted = Object.entries(shape.shape).map(([name, type]) => {
    const index = columns.indexOf(name)
    if (index < 0) throw new RowShapeError(`A query of the database has no column ${name}`)
    return { name, index, type, plain: plainOf(type) }
  })
  const blank = Object.fromEntries(wanted.map(({ name }) => [name, null]))
  const plan = { of: columns, columns: wanted, blank }
  plans.set(shape, plan)
  return plan
}

function plainOf(type: z.core.$ZodType): number {
  if (type instanceof z.ZodNullable) {
    const inner = plainOf(type.unwrap())
    return inner === 0 ? 0 : inner | NULL
  }
  if (type instanceof z.ZodString && !type.def.checks?.length) return TEXT
  if (type instanceof z.ZodNumber && !type.def.checks?.length) return NUMBER
  return 0
}

function read({ name, type, plain }: Column, value: SqlValue): unknown {
  if (
    typeof value === 'string'
      ? plain & TEXT
      : typeof value === 'number'
        ? plain & NUMBER
        : plain & NULL && value === null
  )
    return value
  const { success, data, error } = z.safeParse(type, value)
  if (success) return data
  throw new RowShapeError(
    `The column ${name} of the database holds what it must not: ${z.prettifyError(error)}`,
    {
      cause: error,
    },
  )
}
