import { html } from 'ghtml'
import { type Colours, initialOf, logoSize } from '../../pages/index.ts'
import type { Voice } from '../texts.ts'
import { footerLinks, type MailLook } from './mail-look.ts'
import { accentStyles, darkStyles, styles } from './mail-styles.ts'
import type { MailTemplate } from './mail-template.ts'

/**
 * The HTML of a mail: one column of at most 600 px, tables and inline styles since mail clients support little else. It fetches nothing but
 * the operator's logo, whose address is the same in all mails, so that nothing shows us whether one was read.
 */
export function asHtml(template: MailTemplate, voice: Voice, look: MailLook): string {
  const { neverAsked, automatic, answerable } = voice.labels
  const { light, dark } = look.palette
  return html`<!doctype html>
<html lang="${voice.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${template.subject}</title>
<style>!${darkStyles(dark)}</style>
</head>
<body class="ground" style="!${styles.body}">
<div style="!${styles.preview}">${template.paragraphs[0] ?? ''}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="!${styles.ground}"><tr><td class="edge" align="center" style="!${styles.edge}">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="!${styles.column}">
<tr><td style="!${styles.brand}">!${brand(look)}</td></tr>
<tr><td class="card" style="!${styles.card}">
<h1 class="ink" style="!${styles.title}">${template.title}</h1>
!${[template.greeting, ...template.paragraphs].map(paragraph).join('\n')}
!${code(template, light)}
!${facts(template)}
!${action(template, voice, light)}
!${template.closing.map(paragraph).join('\n')}
</td></tr>
<tr><td class="soft" style="!${styles.footer}">
<p style="!${styles.footerLine}">${template.why}</p>
<p class="ink" style="!${styles.footerWarning}">${neverAsked}</p>
<p style="!${styles.footerLine}">${look.replyTo === undefined ? automatic : answerable}</p>
!${foot(look, voice)}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** A logo that mail clients show, which is a PNG; else the name beside the mark. A logo's address has no host yet (`mail-jobs.ts`). */
function brand({ name, mark, logo, palette }: MailLook): string {
  if (logo?.light.type === 'image/png') {
    const { width, height } = logoSize(logo.light)
    // Many clients show no picture before somebody allows it: the name in its place has the colour of the scheme.
    return html`<img class="ink" src="${logo.light.path}" alt="${name}" width="${width}" height="${height}" style="!${styles.logo}">`
  }
  const styled = accentStyles(palette.light)
  const shown =
    mark === 'letter'
      ? html`<span class="brand-mark" aria-hidden="true" style="!${styled.brandMark}">${initialOf(name)}</span>`
      : gate(styled)
  return html`!${shown}<span class="ink" style="!${styles.brandName}">${name}</span>`
}

/** Our own mark, the gate with its lamp, drawn with boxes: mails fetch nothing for it, and few clients show an SVG. */
function gate({ gateWall, gatePosts, gateLamp }: ReturnType<typeof accentStyles>): string {
  return html`<span class="brand-mark" aria-hidden="true" style="!${gateWall}"><span class="gate-posts" style="!${gatePosts}"><span class="gate-lamp" style="!${gateLamp}"></span></span></span>`
}

function foot(look: MailLook, { language }: Voice): string {
  const links = footerLinks(look, language).map(
    ({ label, href }) => html`<a class="soft" href="${href}" style="!${styles.footerLink}">${label}</a>`,
  )
  const lines = [links.join(' &nbsp; '), look.footer === undefined ? '' : html`${look.footer}`].filter((line) => line !== '')
  return lines.map((line) => html`<p style="!${styles.footerLine}">!${line}</p>`).join('\n')
}

function paragraph(text: string): string {
  return html`<p class="ink" style="!${styles.paragraph}">${text}</p>`
}

/** Wide digits by letter spacing, not by spaces, so that a copy holds only the code. */
function code({ code }: MailTemplate, colours: Colours): string {
  return code === undefined ? '' : html`<p class="code" style="!${accentStyles(colours).code}">${code}</p>`
}

function facts({ facts }: MailTemplate): string {
  if (!facts) return ''
  const rows = facts.map(
    ({ label, value }) =>
      html`<tr><th class="soft fact-label" scope="row" align="left" valign="top" style="!${styles.factLabel}">${label}</th><td class="ink fact-value" valign="top" style="!${styles.factValue}">${value}</td></tr>`,
  )
  return html`<table class="sunken" width="100%" cellpadding="0" cellspacing="0" border="0" style="!${styles.facts}">!${rows.join('\n')}</table>`
}

function action({ action, otherAction }: MailTemplate, { labels }: Voice, colours: Colours): string {
  if (!action) return ''
  const accent = accentStyles(colours)
  const other = otherAction
    ? html`<p class="ink" style="!${styles.paragraph}">${otherAction.lead ?? ''} <a class="link" href="${otherAction.url}" style="!${accent.link}">${otherAction.label}</a></p>`
    : ''
  return html`!${action.lead === undefined ? '' : paragraph(action.lead)}
<table role="presentation" class="button-frame" cellpadding="0" cellspacing="0" border="0" style="!${styles.buttonFrame}"><tr><td class="button" align="center" bgcolor="${colours.accent}" style="!${accent.buttonCell}"><a class="button-label" href="${action.url}" style="!${accent.button}">${action.label}</a></td></tr></table>
<p class="soft" style="!${styles.fallback}">${labels.linkAsText}<br><a class="link" href="${action.url}" style="!${accent.fallbackLink}">${action.url}</a></p>
!${other}`
}
