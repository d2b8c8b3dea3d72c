import type { Policy } from '../../core/policy/policy'
import type { Clock } from '../../engine/read/ports'
import { PromptCache } from '../../engine/workspace/prompt-cache'
import { unrefTimer } from './unref-timer'
import { openWorkspaceFolder, type WorkspaceFolderOptions } from './workspace-folder'

/** The workspace folder whose files are in the prompts, and the policy that names them. */
export type PromptCacheOptions = Omit<WorkspaceFolderOptions, 'names'> & {
  readonly policy: Pick<Policy, 'bootstrap' | 'promptCache'>
  readonly clock: Clock
}

/**
 * The prompt cache of one workspace folder. Close it when the agent is done.
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openPromptCache } from 'plimsoll-agent'
 *
 * const promptCache = openPromptCache({ folder: 'workspace', policy: DEFAULT_POLICY, clock: { now: Date.now } })
 * promptCache.close()
 * ```
 */
export function openPromptCache({ policy, clock, ...folder }: PromptCacheOptions): PromptCache {
  const workspace = openWorkspaceFolder({ ...folder, names: policy.bootstrap.files })
  return new PromptCache({ workspace, clock, timer: unrefTimer, policy: policy.promptCache })
}
