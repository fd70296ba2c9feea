import { Box, LinearProgress } from '@mui/material'
import { useEffect } from 'react'
import { useTranslate } from 'react-admin'
import { useBlocker, useParams } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { ManagedBy } from '../kit/show/managed-by.tsx'
import { useProductName } from '../kit/use-product-name.ts'
import { LookForm } from './look-form.tsx'
import { Preview } from './preview.tsx'
import { appearanceTexts } from './texts.ts'
import { type ReadAppearance, useAppearance, useDraft } from './use-appearance.ts'

/** The operator's look, which all pages and mails have. */
export function AppearancePage() {
  return <AppearanceOf path={adminPath('appearance')} managed={{ kind: 'appearance', id: 'operator' }} />
}

/** The look that one product has of its own. */
export function ProductAppearancePage() {
  const { id = '' } = useParams()
  return (
    <AppearanceOf
      path={adminPath('products', id, 'appearance')}
      managed={{ kind: 'product', id }}
      back={`/products/${encodeURIComponent(id)}/show`}
    />
  )
}

interface AppearanceOfProps {
  path: string
  managed: { kind: 'appearance' | 'product'; id: string }
  back?: string
}

function AppearanceOf({ path, managed, back }: AppearanceOfProps) {
  const texts = useTexts(appearanceTexts)
  const { data, error, refetch } = useAppearance(path)
  const nameOf = useProductName()
  const product = data?.appearance.product
  return (
    <>
      <PageHeading title={product ? texts.titleOf(nameOf(product)) : texts.title} {...(back !== undefined && { back })} />
      <ManagedBy {...managed} />
      {error && !data && <Failed error={error} onRetry={refetch} />}
      {data ? <Editor key={path} path={path} read={data} readAgain={refetch} /> : !error && <LinearProgress />}
    </>
  )
}

function Editor({ path, read, readAgain }: { path: string; read: ReadAppearance; readAgain: () => Promise<unknown> }) {
  const edited = useDraft(path, read, readAgain)
  const mayEdit = useMay('appearance:write')
  useLeaving(edited.isChanged)
  return (
    <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 27rem' }, alignItems: 'start' }}>
      <LookForm {...edited} appearance={read.appearance} mayEdit={mayEdit} />
      <Preview changes={edited.changes} product={read.appearance.product} version={read.version} />
    </Box>
  )
}

/** Asks before a text that was typed is lost. */
function useLeaving(isChanged: boolean): void {
  const translate = useTranslate()
  const blocker = useBlocker(isChanged)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (window.confirm(translate('ra.message.unsaved_changes'))) blocker.proceed()
    else blocker.reset()
  }, [blocker, translate])
  // Closing the tab or loading the page anew asks in the browser's own words.
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])
}
