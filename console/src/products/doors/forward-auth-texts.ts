import { defineTexts } from '../../i18n/use-texts.ts'

/** The words of an app behind a proxy that asks Portaria before each request. */
export const forwardAuthTexts = defineTexts({
  'pt-BR': {
    title: 'Atrás de um proxy',
    about: 'Para um app que não sabe nada de acesso: nginx, Caddy ou Traefik perguntam à Portaria antes de cada requisição.',
    docs: 'Documentação',
    hosts: 'Hosts',
    hostsHelp: 'Um por linha, abaixo do domínio interno, como wiki.exemplo.com.br. Sem nenhum host, nenhum proxy pode perguntar.',
    access: 'Quem passa',
    accesses: { signed_in: 'Todos que entraram', any_plan: 'Quem tem algum plano', plans: 'Quem tem um destes planos' },
    plans: 'Planos',
    plansHelp: 'Os nomes no endereço, com vírgulas entre eles, como easy-pro, easy-enterprise.',
    save: 'Salvar o proxy',
    offExplains:
      'Nenhum proxy poderá mais perguntar por este produto: os hosts dele recusam todos na hora, e ficam livres para outro produto.',
  },
  en: {
    title: 'Behind a proxy',
    about: 'For an app that knows nothing of sign-in: nginx, Caddy or Traefik ask Portaria before each request.',
    docs: 'Documentation',
    hosts: 'Hosts',
    hostsHelp: 'One a line, below the internal domain, as in wiki.example.com. Without a host, no proxy may ask.',
    access: 'Who may pass',
    accesses: { signed_in: 'Everyone who is signed in', any_plan: 'Users with any plan', plans: 'Users with one of these plans' },
    plans: 'Plans',
    plansHelp: 'Their slugs with commas between them, as in easy-pro, easy-enterprise.',
    save: 'Save the proxy',
    offExplains: 'No proxy may ask for this product any more: its hosts refuse everyone at once, and are free for another product.',
  },
  es: {
    title: 'Detrás de un proxy',
    about: 'Para una app que no sabe nada de acceso: nginx, Caddy o Traefik preguntan a Portaria antes de cada petición.',
    docs: 'Documentación',
    hosts: 'Hosts',
    hostsHelp: 'Uno por línea, debajo del dominio interno, como wiki.ejemplo.com. Sin ningún host, ningún proxy puede preguntar.',
    access: 'Quién pasa',
    accesses: { signed_in: 'Todos los que iniciaron sesión', any_plan: 'Quien tiene algún plan', plans: 'Quien tiene uno de estos planes' },
    plans: 'Planes',
    plansHelp: 'Sus nombres en la dirección, con comas entre ellos, como easy-pro, easy-enterprise.',
    save: 'Guardar el proxy',
    offExplains:
      'Ningún proxy podrá preguntar más por este producto: sus hosts rechazan a todos al instante y quedan libres para otro producto.',
  },
})
