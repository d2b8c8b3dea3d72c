import 'server-only'
import { revalidatePath } from 'next/cache'
import type { ZodType } from 'zod'
import { reasonOf } from '../../core/words/reason-of'
import type { RefusedAnswer } from '../../view/actions/action-answer'

type ActionOptions = {
  /** What is said to whoever sends something else than the schema has. */
  readonly unreadable: string
  /** The pages from here on down are made anew, whatever came of it. None without a path. */
  readonly revalidate?: `/${string}`
}

/**
 * The way in for every server action: what a browser sent is read by a schema, the work is done, and what goes wrong is an
 * answer for the reader.
 * @param sent the arguments as they came, unchecked
 */
export async function action<A extends readonly unknown[], T>(
  schema: ZodType<A>,
  sent: readonly unknown[],
  work: (...read: A) => T | Promise<T>,
  { unreadable, revalidate }: ActionOptions,
): Promise<T | RefusedAnswer> {
  const read = schema.safeParse(sent)
  if (!read.success) return { kind: 'refused', problem: unreadable }
  try {
    return await work(...read.data)
  } catch (error) {
    return { kind: 'refused', problem: reasonOf(error) }
  } finally {
    if (revalidate !== undefined) revalidatePath(revalidate, 'layout')
  }
}
