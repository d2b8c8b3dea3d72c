import * as z from 'zod'
import { splitPath } from './path'
import { policySchema } from './policy'

/** The schema of the value at a dotted policy path, or null when there is no such value. */
export function schemaAt(path: string): z.ZodType | null {
  let at: z.ZodType | null = policySchema
  for (const key of splitPath(path)) {
    if (at instanceof z.ZodObject) at = (at.shape[key] as z.ZodType | undefined) ?? null
    else if (at instanceof z.ZodRecord) at = at.valueType as z.ZodType
    else return null
  }
  return at
}

/** Whether a path names a group of values instead of a value. */
export function isGroup(path: string): boolean {
  const schema = schemaAt(path)
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord
}

/** Checks one value for its path; returns what is wrong with it in words, or null. */
export function faultOf(path: string, value: unknown): string | null {
  const schema = schemaAt(path)
  if (schema === null) return `there is no such setting`
  const result = schema.safeParse(value)
  if (result.success) return null
  const issue = result.error.issues[0]
  return `${shown(value)} is not allowed here: ${describe(path)}${issue === undefined ? '' : ` (${issue.message})`}`
}

/** What may stand at a path, in words: "a number from 0 to 1". */
export function describe(path: string): string {
  const schema = schemaAt(path)
  return schema === null ? 'nothing' : describeSchema(schema)
}

function describeSchema(schema: z.ZodType): string {
  if (schema instanceof z.ZodNullable) return `${describeSchema(schema.unwrap() as z.ZodType)}, or null`
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`
  if (schema instanceof z.ZodArray) return `a list, each ${describeSchema(schema.element as z.ZodType)}`
  if (schema instanceof z.ZodString) return 'a text'
  if (schema instanceof z.ZodNumber) return describeNumber(schema)
  return 'a group of settings'
}

function describeNumber(schema: z.ZodNumber): string {
  const what = schema.isInt ? 'a whole number' : 'a number'
  const { minValue: min, maxValue: max } = schema
  const from = min !== null && Number.isFinite(min) && min > Number.MIN_SAFE_INTEGER ? min : null
  const to = max !== null && Number.isFinite(max) && max < Number.MAX_SAFE_INTEGER ? max : null
  if (from !== null && to !== null) return `${what} from ${from} to ${to}`
  if (from !== null) return `${what} of at least ${from}`
  return what
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : Array.isArray(value) ? 'a list' : String(value)
}
