import { answerJson } from '@/lib/server/door/answer'
import { HELP_INDEX } from '@/lib/view/help/help-index'

/** Words and parts of the help, for the palette: they travel to a page only when something is looked for. */
export async function GET() {
  return answerJson(async () => HELP_INDEX.map((entry) => ({ ...entry, words: '' })))
}
