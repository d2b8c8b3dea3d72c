import { type BootstrapCaps, bootstrapCaps } from '../../core/bootstrap/caps'
import { injectBootstrap } from '../../core/bootstrap/inject'
import type { PromptCacheState } from '../../core/bootstrap/prompt-cache-state'
import type { WorkspaceFile } from '../../core/bootstrap/workspace-file'
import { splitWindow } from '../../core/budget/regions'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits } from '../../core/tokens/estimate'
import type { Tokens } from '../../core/units/units'

/** The state of the prompt cache of a workspace. */
export type CacheView = Omit<PromptCacheState, 'folder' | 'polls' | 'files'>

/** One workspace file as a prompt would hold it. Characters; `tokens` is an estimate. */
export type WorkspaceFileView = {
  readonly name: string
  readonly rawChars: number
  readonly injectedChars: number
  readonly tokens: Tokens
  readonly state: 'whole' | 'cut' | 'left out' | 'missing' | 'unreadable'
}

/** What a workspace puts into every prompt under a policy, and the state of its cache. */
export type WorkspaceView = {
  readonly folder: string
  /** Who named the folder: the settings, or a store's configuration. */
  readonly from: string
  readonly cache: CacheView
  readonly files: readonly WorkspaceFileView[]
  readonly chars: number
  readonly caps: BootstrapCaps
  readonly tokens: Tokens
  readonly warnings: readonly string[]
}

/** Works out what a policy makes of a workspace in a window. */
export function workspaceView(input: {
  readonly folder: string
  readonly from: string
  readonly cache: CacheView
  /** The workspace's files as they are now. */
  readonly workspaceFiles: readonly WorkspaceFile[]
  readonly policy: Pick<Policy, 'bootstrap' | 'budget'>
  /** Tokens. */
  readonly window: number
}): WorkspaceView {
  const { folder, from, cache, workspaceFiles, policy, window } = input
  const region = policy.budget.enabled ? splitWindow(window, policy.budget).bootstrap : null
  const caps = bootstrapCaps(policy.bootstrap, region)
  const bootstrap = injectBootstrap({ files: workspaceFiles, policy: policy.bootstrap, caps })
  const problems = new Set(
    workspaceFiles.filter((file) => file.problem !== undefined).map((file) => file.name),
  )
  const files = bootstrap.files.map((file): WorkspaceFileView => {
    const { name, rawChars, injectedChars, text, truncated, missing } = file
    const state = problems.has(name)
      ? 'unreadable'
      : missing
        ? 'missing'
        : !truncated
          ? 'whole'
          : injectedChars === 0
            ? 'left out'
            : 'cut'
    return { name, rawChars, injectedChars, tokens: estimateUnits(text), state }
  })
  return {
    folder,
    from,
    cache,
    files,
    chars: bootstrap.chars,
    caps,
    tokens: files.reduce((sum, file) => sum + file.tokens, 0),
    warnings: bootstrap.warnings,
  }
}
