import { answerJson } from '@/lib/server/answer'
import { getWorkspaces } from '@/lib/server/workspaces'
import { parseWindow } from '@/lib/view/policy-place'

/**
 * What the configured workspaces put into every prompt of a window of `?window=` tokens, and how their caches stand;
 * with `?ask=1` a request is made of each cache first.
 */
export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const window = parseWindow(searchParams.get('window') ?? '')
  return answerJson(() => getWorkspaces(window, searchParams.get('ask') === '1'))
}
