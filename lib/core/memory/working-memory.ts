import { KeywordIndex } from '../cold/search-index'
import { termsOf } from '../relevance/tokenize'
import type { Task, TaskResult, TaskTree } from './task'

/** What is kept of a completed task, by its id. */
export type WorkingEntry = { readonly task: Pick<Task, 'id' | 'title'>; readonly result: TaskResult }

/** So many entries are found unless another number is asked for. */
const FOUND_ENTRIES = 5

/** Everything that tasks came to, newest first. */
export function workingMemory({ tasks }: TaskTree): WorkingEntry[] {
  return tasks
    .flatMap(({ id, title, result }) => (result === null ? [] : [{ task: { id, title }, result }]))
    .toSorted((a, b) => b.result.at - a.result.at)
}

/** Looks for words in titles, results and artifacts; the best match first. */
export function searchWorkingMemory(tree: TaskTree, query: string, limit = FOUND_ENTRIES): WorkingEntry[] {
  const index = new KeywordIndex<WorkingEntry>()
  // Older ones first: among equals the newest comes first.
  for (const entry of workingMemory(tree).toReversed()) {
    const { task, result } = entry
    index.add(entry, [task.id, task.title, result.summary, ...result.artifacts].join('\n'))
  }
  return index.search([...termsOf(query)].join(' '), limit).map(({ key }) => key)
}
