import type { AnyDetector } from './detector'
import { compactionChain } from './detectors/compaction-chain'
import { compactionFreesNothing } from './detectors/compaction-frees-nothing'
import { providerCutsPrompt } from './detectors/provider-cuts-prompt'

/** Everything that is looked for in a session. A new one is a file in `detectors/` and a row here. */
export const DETECTORS: readonly AnyDetector[] = [providerCutsPrompt, compactionFreesNothing, compactionChain]
