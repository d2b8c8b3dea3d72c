'use client'

import { CategoryLegend } from '@/components/charts/category-legend'
import { MarksLegend } from '@/components/charts/marks-legend'
import { Dialog } from '@/components/ui/dialog'
import { PageLink } from '@/components/ui/page-link'
import { ShortcutList } from '@/components/ui/shortcut-list'
import { CATEGORY_ORDER } from '@/lib/view/charts/category'
import { useShell } from './shell-state'

/** Keys and marks on one sheet. */
export function ShortcutSheet() {
  const shell = useShell()
  return (
    <Dialog open={shell.overlay === 'shortcuts'} onClose={shell.hide} title="Keys and marks" shape="sheet">
      <div className="flex flex-col gap-6">
        <ShortcutList />
        <section>
          <h3 className="mb-2 text-label font-medium text-muted">Marks after a number</h3>
          <MarksLegend />
        </section>
        <section>
          <h3 className="mb-2 text-label font-medium text-muted">Categories, in stacking order</h3>
          <CategoryLegend items={CATEGORY_ORDER.map(({ category }) => ({ category }))} />
        </section>
        <p className="text-table">
          <PageLink href="/help" onClick={shell.hide} className="text-accent hover:underline">
            All words and figures explained
          </PageLink>
        </p>
      </div>
    </Dialog>
  )
}
