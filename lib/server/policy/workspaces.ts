import 'server-only'
import { openPromptCache } from '../../adapters/prompt-cache/open-prompt-cache'
import { openPolicies } from '../../compose/policy/policies'
import { policySources } from '../../compose/policy/policy-sources'
import { namedWorkspaces } from '../../compose/stores/workspaces'
import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'
import { effectivePolicy, NO_SUBJECT } from '../../core/policy/effective'
import type { Policy } from '../../core/policy/policy'
import type { PromptCache } from '../../engine/workspace/prompt-cache'
import { requestFiles } from '../../engine/workspace/workspace'
import { type WorkspaceView, workspaceView } from '../../view/policy/workspaces'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'
import { findStoresForPage } from '../stores/found-stores'

type Kept = {
  readonly cache: PromptCache
  readonly names: string
  readonly pollSeconds: number
  /** What the last request got; null before the first. */
  files: readonly WorkspaceFile[] | null
}

/** Watchers outlive requests. */
const caches = () => oncePerProcess('prompt-caches', () => new Map<string, Kept>())

/**
 * The workspaces that the settings or the stores' configurations name, read through the prompt cache, and what the
 * policy makes of their files.
 * @param window tokens; null for the policy's default window
 * @param ask make a request of each cache, as an agent would; else they are only looked at, so that one that has gone
 * stale is seen so. A cache that was never asked is asked in any case.
 */
export async function getWorkspaces(window: number | null, ask: boolean): Promise<readonly WorkspaceView[]> {
  const setup = getSetup()
  const { stores } = await findStoresForPage(setup)
  const documents = await openPolicies(setup, stores).documents()
  const places = namedWorkspaces(setup, documents, stores)
  return Promise.all(
    places.map(async ({ folder, from, root }) => {
      const { policy } = effectivePolicy(policySources(documents, root), NO_SUBJECT)
      const kept = keptFor(folder, policy)
      const { cache } = kept
      if (ask || kept.files === null) kept.files = requestFiles(await cache.snapshot(), policy.bootstrap)
      const size = window ?? policy.window.default
      return workspaceView({
        folder,
        from,
        cache: cache.state(),
        workspaceFiles: kept.files,
        policy,
        window: size,
      })
    }),
  )
}

function keptFor(folder: string, policy: Policy): Kept {
  const names = policy.bootstrap.files.join('\n')
  const { pollSeconds } = policy.promptCache
  const kept = caches().get(folder)
  if (kept !== undefined && kept.names === names && kept.pollSeconds === pollSeconds) return kept
  kept?.cache.close()
  const cache = openPromptCache({ folder, policy, clock: { now: Date.now } })
  const fresh: Kept = { cache, names, pollSeconds, files: null }
  caches().set(folder, fresh)
  return fresh
}
