import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { workspaceRules } from '../../core/summary/workspace-rules'
import type { RulesOf } from '../../engine/compaction/summary-material'
import { errorCode, isInside } from '../files/regular-file'
import { readWorkspaceFile } from '../prompt-cache/read-file'

const NAME = 'AGENTS.md'

/**
 * Rules of the workspace in which a session was begun. A transcript names any folder it likes, so only those are read
 * that are named elsewhere: workspaces of the settings, and what lies in the session's own store. Rules that cannot be
 * read are none, and the summary is written without them.
 */
export function workspaceRulesIn(workspaces: readonly string[]): RulesOf {
  return async ({ store, totals: { cwd } }) => {
    const folder = cwd !== null && path.isAbsolute(cwd) ? await realOrNull(cwd) : null
    if (folder === null) return null
    const roots = await Promise.all([store.root, ...workspaces].map(realOrNull))
    if (!roots.some((root) => root !== null && isInside(root, folder))) return null
    const { text } = await readWorkspaceFile({ name: NAME, path: path.join(folder, NAME) }, folder)
    return text === null ? null : workspaceRules(text)
  }
}

async function realOrNull(folder: string): Promise<string | null> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return null
  }
}
