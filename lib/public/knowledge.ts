// The facts of the project's own database for agents (`plimsoll/knowledge`), apart from the rest: it brings libsql.

import { migrationsFolder } from '../config/paths'
import { type OpenedFacts, openFacts } from '../db/open-facts'

export type { OpenedFacts } from '../db/open-facts'

/**
 * Opens the facts of a database, the one that the dashboard shows: `plimsoll.db` in the state folder.
 * @param file absolute path
 *
 * @example
 * ```ts
 * import { openFactDatabase } from 'plimsoll-agent/knowledge'
 *
 * const opened = openFactDatabase('/home/pilot/facts.db')
 * if (!opened.ok) throw new Error(opened.message)
 * const facts = await opened.facts.find({ terms: null })
 * opened.close()
 * ```
 */
export function openFactDatabase(file: string, options: { readonly mirrors?: boolean } = {}): OpenedFacts {
  return openFacts(file, migrationsFolder(), options)
}
