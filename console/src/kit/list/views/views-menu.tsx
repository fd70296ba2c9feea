import ArrowDropDown from '@mui/icons-material/ArrowDropDown'
import BookmarkBorder from '@mui/icons-material/BookmarkBorder'
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Divider,
  Menu,
  MenuItem,
  TextField,
} from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useListContext, useNotify, useStore } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useMe } from '../../../console-context.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { useCopy } from '../../show/use-copy.ts'
import type { Filter } from '../filters/filter.ts'
import { isSameView, keptFilter, MAX_NAME, parseViews, type View, viewPath, withView } from './view.ts'
import { viewTexts } from './view-texts.ts'

/** The views of this list that the user has saved, and what can be done with the present one. */
export function ViewsMenu({ filters }: { filters: readonly Filter[] }) {
  const texts = useTexts(viewTexts)
  const navigate = useNavigate()
  const notify = useNotify()
  const { resource, sort, filterValues } = useListContext()
  const { views, setViews } = useViews(resource)
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [isNaming, setNaming] = useState(false)
  const { copy } = useCopy(`${location.origin}/admin${viewPath(resource, { filter: filterValues, sort })}`)
  const shown = { filter: keptFilter(filterValues, filters), sort }
  const current = views.find((view) => isSameView(view, shown))
  const then = (act: () => void) => () => {
    setAnchor(undefined)
    act()
  }
  const remove = ({ name }: View) => {
    setViews(views.filter((view) => view.name !== name))
    notify(texts.removed(name), { type: 'info' })
  }
  const save = (name: string) => {
    setNaming(false)
    setViews(withView(views, { name, ...shown }))
    notify(texts.saved(name), { type: 'info' })
  }
  return (
    <>
      <Button
        size="small"
        color="inherit"
        startIcon={<BookmarkBorder />}
        endIcon={<ArrowDropDown />}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ flexShrink: 0, alignSelf: { xs: 'flex-start', sm: 'auto' }, whiteSpace: 'nowrap', minHeight: 40 }}
      >
        {current?.name ?? texts.views}
      </Button>
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor ?? null}
        onClose={() => setAnchor(undefined)}
        slotProps={{ list: { 'aria-label': texts.views, dense: true }, paper: { role: 'dialog', 'aria-label': texts.views } }}
      >
        {views.length === 0 && <MenuItem disabled>{texts.none}</MenuItem>}
        {views.map((view) => (
          <MenuItem
            key={view.name}
            role="menuitemradio"
            aria-checked={view === current}
            selected={view === current}
            onClick={then(() => void navigate(viewPath(resource, view)))}
          >
            {view.name}
          </MenuItem>
        ))}
        <Divider component="li" />
        <MenuItem onClick={then(() => setNaming(true))}>{texts.save}</MenuItem>
        <MenuItem onClick={then(() => void copy())}>{texts.copy}</MenuItem>
        {current && <MenuItem onClick={then(() => remove(current))}>{texts.remove(current.name)}</MenuItem>}
      </Menu>
      {isNaming && <NameDialog known={current?.name ?? ''} onClose={() => setNaming(false)} onSave={save} />}
    </>
  )
}

/** Kept in this browser, apart for each user of it (store.ts). */
function useViews(resource: string): { views: readonly View[]; setViews: (views: View[]) => void } {
  const { id } = useMe()
  const [kept, setViews] = useStore<View[]>(`views.${id}.${resource}`, [])
  return { views: parseViews(kept), setViews }
}

function NameDialog({ known, onClose, onSave }: { known: string; onClose: () => void; onSave: (name: string) => void }) {
  const texts = useTexts(viewTexts)
  const [name, setName] = useState(known)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <Dialog open onClose={onClose} aria-labelledby="view-title" fullWidth maxWidth="xs">
      <form onSubmit={submit}>
        <DialogTitle id="view-title">{texts.saveTitle}</DialogTitle>
        <DialogContent>
          <DialogContentText>{texts.about}</DialogContentText>
          <TextField
            autoFocus
            fullWidth
            required
            label={texts.name}
            value={name}
            onChange={({ target }) => setName(target.value)}
            slotProps={{ htmlInput: { maxLength: MAX_NAME } }}
            sx={{ mt: 2 }}
          />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="contained">
            {texts.keep}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
