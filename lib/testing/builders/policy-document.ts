import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import type { PolicyDocumentView } from '../../view/policy/policy-reading'

/** A configuration file as a screen gets it: ours if it is called plimsoll.yaml, else a runtime's. */
export function policyDocument(text: string, path: string): PolicyDocumentView {
  const label = path.split('/').at(-1) ?? path
  const own = label === 'plimsoll.yaml'
  return {
    path,
    exists: true,
    writable: true,
    text,
    hash: `hash of ${text.length}`,
    file: readPolicy(parseSource(text, path)),
    role: own ? 'own' : 'store',
    storeId: own ? null : 'store',
    label,
  }
}
