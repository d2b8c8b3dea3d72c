import 'server-only'
import { maskValue } from '../../core/logs/mask-value'
import type { PolicyFile } from '../../core/policy/reading'
import { maskSecrets } from '../../core/redaction/secrets'
import type { SaveInput, SaveResult } from '../../engine/policy/policy-store'
import type { PolicyDocumentView } from '../../view/policy/policy-reading'
import { oncePerProcess } from '../process/process-memory'
import { CoveredValues } from './covered-values'
import { getPolicies, getPolicyVersion, type PoliciesView, savePolicyDocument } from './policies'

function coveredValues(): CoveredValues {
  return oncePerProcess('covered-policy-values', () => new CoveredValues())
}

/** What the Policies page shows, with a stand-in in the place of each credential in a file. @throws SetupError */
export async function getCoveredPolicies(): Promise<PoliciesView> {
  const { documents, asks } = await getPolicies()
  return { documents: documents.map(coveredDocument), asks }
}

function coveredDocument(document: PolicyDocumentView): PolicyDocumentView {
  const { path } = document
  const text = coveredValues().cover(path, document.text)
  const cover = (part: string) => maskSecrets(coveredValues().coverIn(path, part))
  // Only texts are covered in it, each by a text.
  const file = maskValue('', document.file, cover) as PolicyFile
  return { ...document, text, file }
}

/**
 * Saves what a page made of a file, with the values that it did not get.
 * @throws UnknownPolicyFile
 * @throws Error when a value is not known any more
 */
export async function saveCoveredDocument(input: SaveInput): Promise<SaveResult> {
  const { path } = input
  const values = coveredValues()
  const result = await savePolicyDocument({ ...input, text: values.uncover(path, input.text) })
  switch (result.kind) {
    case 'changed':
      return {
        ...result,
        base: values.coverKnown(path, input.baseText),
        mine: values.coverKnown(path, input.text),
        theirs: values.cover(path, result.theirs),
      }
    case 'invalid':
      return {
        ...result,
        problems: result.problems.map((one) => ({ ...one, message: values.coverIn(path, one.message) })),
      }
    default:
      return result
  }
}

/** Text of an earlier version as pages get it; null when it is not kept any more. @throws UnknownPolicyFile */
export async function getCoveredVersion(path: string, id: string): Promise<string | null> {
  const text = await getPolicyVersion(path, id)
  return text === null ? null : coveredValues().cover(path, text)
}

/** The values behind the stand-ins of a text, on request. */
export function revealPolicyValues(path: string, text: string): { readonly [name: string]: string } {
  return coveredValues().reveal(path, text)
}
