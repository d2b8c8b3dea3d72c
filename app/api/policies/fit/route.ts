import { answerJson } from '@/lib/server/door/answer'
import { getPolicyFit } from '@/lib/server/policy/policy-fit'

/** How well what the runtimes do explains the recorded compactions. */
export function GET(): Promise<Response> {
  return answerJson(getPolicyFit)
}
