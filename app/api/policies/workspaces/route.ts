import { answerJson } from '@/lib/server/answer'
import { getWorkspaces } from '@/lib/server/workspaces'
import { parseWindow } from '@/lib/view/policy-place'

/** What the configured workspaces put into every prompt of a window of `?window=` tokens, and how their caches stand. */
export function GET(request: Request): Promise<Response> {
  const window = parseWindow(new URL(request.url).searchParams.get('window') ?? '')
  return answerJson(() => getWorkspaces(window))
}
