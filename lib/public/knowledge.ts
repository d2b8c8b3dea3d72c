// The facts of the project's own database for agents (`plimsoll/knowledge`), apart from the rest: it brings libsql.

import { migrationsFolder } from '../config/paths'
import { type OpenedFacts, openFacts } from '../db/open-facts'

export type { OpenedFacts } from '../db/open-facts'

/**
 * Opens the facts of a database, the one that the dashboard shows: `plimsoll.db` in the state folder.
 * @param file absolute path
 */
export function openFactDatabase(file: string, options: { readonly mirrors?: boolean } = {}): OpenedFacts {
  return openFacts(file, migrationsFolder(), options)
}
