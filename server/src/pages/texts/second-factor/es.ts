import type { secondFactorPtBR } from './pt-br.ts'

/** The page of the user's own second factor, in Spanish. */
export const secondFactorEs = {
  secondFactorSettings: {
    title: 'Verificación en dos pasos',
    offLead: 'Además de la contraseña, entrar pide un código que solo tu celular muestra. Quien descubra tu contraseña no entra.',
    begin: 'Activar',
    whichApps: 'Funciona con cualquier app de autenticación, como Google Authenticator, Microsoft Authenticator, 1Password o Aegis.',
    everySignInMethod: 'El código se pide siempre que entras, también con otro proveedor o con un enlace de correo.',
    turnedOff: 'La verificación está desactivada',
    turnedOffAdvice: 'Entrar ya no pide el código. Los códigos de recuperación que tenías ya no valen.',
    pendingTitle: 'Activa la verificación en dos pasos',
    scan: 'En la app de autenticación, añade una cuenta y escanea este código:',
    qrLabel: 'Código QR para la app de autenticación. La misma clave está escrita abajo.',
    orType: '¿Sin cámara? Escribe esta clave en la app:',
    openApp: '¿Estás en el celular de la app? Ábrela aquí',
    thenType: 'Después, escribe el código de 6 dígitos que muestra la app:',
    code: 'Código de 6 dígitos',
    confirm: 'Activar la verificación',
    wrongCode: 'Código incorrecto',
    wrongCodeAdvice: 'Escribe el código que la app muestra ahora. Si no funciona, mira si la hora del celular es automática.',
    setUpOver: 'Esta configuración ya no es válida',
    setUpOverAdvice:
      'Se agotó el tiempo o se inició de nuevo en otro navegador. Empieza de nuevo y borra de la app la cuenta que acabas de agregar.',
    onLead: 'Está activada: entrar en tu cuenta pide también el código de tu app.',
    state: 'Cómo está',
    onSince: (day: string) => `Activada desde el ${day}`,
    codesLeft: (count: number) => (count === 1 ? 'Queda 1 código de recuperación' : `Quedan ${count} códigos de recuperación`),
    few: (count: number) =>
      count === 0
        ? 'No te quedan códigos de recuperación'
        : count === 1
          ? 'Solo queda 1 código de recuperación'
          : `Solo quedan ${count} códigos de recuperación`,
    fewAdvice: 'Sin ellos y sin el celular, solo el soporte puede ayudar. Crea otros ahora.',
    renewHint: '¿Perdiste los códigos o alguien los vio? Crea otros: los anteriores dejan de valer.',
    renew: 'Crear códigos nuevos',
    offHint: 'Para cambiar de celular, desactívala y actívala de nuevo con el nuevo.',
    turnOff: 'Desactivar la verificación',
    turnOffSure: 'Sin la verificación, quien sepa tu contraseña entra. Los códigos de recuperación también dejan de valer.',
    turnOffNow: 'Desactivar ahora',
    done: '¿Todo listo?',
    turnedOn: 'Verificación activada',
    renewed: 'Códigos nuevos',
    keepLead: 'Guarda estos códigos de recuperación. Sin el celular, con ellos entras.',
    codes: 'Códigos de recuperación',
    eachOnce: 'Cada uno vale una vez, en lugar del código de la app.',
    printOrCopy: 'Imprime esta página o copia los códigos en tu gestor de contraseñas.',
    onlyNow: 'Solo aparecen ahora. No los guardes en el mismo celular de la app.',
    copy: 'Copiar',
    copied: 'Copiados',
    download: 'Descargar',
    print: 'Imprimir',
    fileName: 'codigos-de-recuperacion.txt',
    kept: 'Ya los guardé',
  },
} satisfies typeof secondFactorPtBR
