import { isObject, type JsonObject } from '../../transcript/json'
import { isUpTo } from './version'

/** Seen in 1.0.17 and no more in 1.0.98; where it ended is not known. */
const LAST_WITH_REMINDER = [1, 0, 57] as const

/** As many units as the words around the list took in 40 requests. */
const WORDS = ' the list'.repeat(28)

/**
 * What early releases sent along with the result of a change of the task list, and wrote nowhere: the list as it is now,
 * with words about it. The list is on the line; the words are sized as they were found to be.
 */
export function todoReminder(line: JsonObject): string | null {
  const { toolUseResult: result, version } = line
  if (!isObject(result) || !Array.isArray(result.newTodos) || !isUpTo(version, LAST_WITH_REMINDER))
    return null
  return `${JSON.stringify(result.newTodos)}${WORDS}`
}
