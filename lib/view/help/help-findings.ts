import { DETECTORS } from '../../core/findings/detectors'
import { STORE_DETECTORS } from '../../core/findings/stores/store-findings'
import type { HelpTerm } from './help'

/** Each kind of finding: what it is, and from when on it is found. The words are the detectors' own. */
export const HELP_FINDINGS: readonly (HelpTerm & { readonly signs: string })[] = [
  ...DETECTORS,
  ...STORE_DETECTORS,
].map(({ kind, title, about, signs }) => ({ id: `finding-${kind}`, term: title, meaning: about, signs }))
