import { answerJson } from '@/lib/server/door/answer'
import { getWorkspaces } from '@/lib/server/policy/workspaces'
import { parseWindow } from '@/lib/view/policy/policy-place'

/**
 * What the configured workspaces put into every prompt of a window of `?window=` tokens, and the state of their caches;
 * with `?ask=1` a request is made of each cache first.
 */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const window = parseWindow(searchParams.get('window') ?? '')
  return answerJson(() => getWorkspaces(window, searchParams.get('ask') === '1'))
}
