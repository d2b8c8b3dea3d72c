import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { sourceNamed } from '../../adapters/sources/sources'
import { runtimeVersion } from '../../adapters/stores/runtime-version'
import type { Settings } from '../../config/settings'
import type { StatedVersion } from '../../core/policy/runtime/openclaw-release'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { FoundStore } from '../../engine/read/ports'
import { filesOfStore, type LabelledDocument, ownFile } from '../policy/policy-sources'

/** What the operator says of stores. */
type Named = Pick<Settings, 'stores'>

/**
 * What is known of the runtime of a store: its version as it states it, and its own settings files; or that its agents
 * embed the library, which only the operator can say.
 */
export async function runtimeStoreOf(
  documents: readonly LabelledDocument[],
  store: Pick<FoundStore, 'kind' | 'era' | 'root'>,
  named: Named,
): Promise<RuntimeStore> {
  return runtimeStore(documents, store, await runtimeVersion(store), named)
}

/** The same with a version that was looked up before. */
export function runtimeStore(
  documents: readonly LabelledDocument[],
  store: Pick<FoundStore, 'kind' | 'era' | 'root'>,
  version: StatedVersion | null,
  named: Named,
): RuntimeStore {
  return {
    owner: embedsLibrary(named, store.root) ? 'library' : store.kind,
    era: store.era,
    version,
    files: [
      ...(sourceNamed(store.kind)?.settings.besides(store.root) ?? []),
      ...filesOfStore(documents, store),
    ],
    own: ownFile(documents),
  }
}

/** Of several places that hold the store, the nearest counts. */
function embedsLibrary({ stores }: Named, root: string): boolean {
  const holding = stores
    .map(({ path, runtime }) => ({ folder: realOf(path), runtime }))
    .filter(({ folder }) => root === folder || root.startsWith(`${folder}/`) || agentsOf(root, folder))
    .sort((a, b) => b.folder.length - a.folder.length)
  return holding[0]?.runtime === 'library'
}

/** `…/agents` names the state folder that it lies in. */
function agentsOf(root: string, folder: string): boolean {
  return basename(folder) === 'agents' && dirname(folder) === root
}

/** Stores are known by their real paths. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It is not there now; its sessions may still be known under this name.
    return path
  }
}
