"""The words that mail systems use in reports of failed delivery."""

from __future__ import annotations

import re

from pbem.intake.phrase_tables import any_of

DAEMONS = any_of(r"""
    (?:sub|auto|fax)?mailer?daemon\w{0,20}
    daemon|mdaemon|mailer|postmaster|postmast|mmdf|uucp|smtp|kundenserver|imss
    (?:double|auto)?bounces?|bouncehandler|bounced?mail
    mail(?:delivery|system|server|support|admin|gateway|routingagent|service)\w{0,20}
    deliverystatus|delivery|undeliverable|systemadministrator
    microsoftexchange[0-9a-f]+|\w{1,20}smtpmailservice|\w{1,30}smtpgateways?
""")
DAEMON_NAMES = any_of(r"""
    mail(?:er)?[ -]?daemon
    mail deliver(?:y|er)? (?:sub)?system
    mail delivery (?:service|failed|status)
    (?:internet mail )?delivery subsystem
    \bpostmaster\b
    system ?administrator
    mail administrator
    mail system\b
    mail router
    internet mail delivery
""")

SUBJECTS = any_of(r"""
    undeliver(?:ed|able)
    delivery (?:status )?notification
    delivery[- ](?:failure|failed|error|report|problem|delayed|has)
    mail delivery
    failure (?:notice|delivering)
    failed (?:mail|delivery|message)
    mail (?:failure|failed|could not|system error|error)
    returned (?:(?:e-?)?mail|message)
    non[- ]?deliver(?:y|able)
    could not (?:be delivered|send message)
    warning: (?:could not send|message|e-?mail)
    (?:(?:e-?)?mail|message) (?:not |un)deliver
    not delivered
    delayed (?:e-?)?mail
    unable to deliver
    bounced mail
    user unknown
    error sending
    there was an error sending
    rejected:
    processing error
    unzustellbar|nicht zustellbar|zustell(?:ung|fehler)
    non remis|échec de (?:la )?remise|notification d.{1,3}échec|retour de message
    no se (?:puede|pudo|ha podido) entregar|no entregado|error de entrega
    impossibile recapitare|mancato recapito
    não (?:foi )?(?:entregue|é possível entregar)|falha na entrega
    onbestelbaar|kan niet worden bezorgd
    kunde inte levereras|olevererbart|kan ikke leveres|kunne ikke leveres|uleverlig
    ei voitu toimittaa|nie można dostarczyć|niedostarczon|zwrot poczty
    nedoručiteln|nedoručen|kézbesíthetetlen|nelivrabil|teslim edilemedi
    не удалось доставить|не ?доставлен|неможливо доставити
    配信不能|配信(?:でき|され)ません|送信できません|エラーメール|メールエラー
    未送达|退信|无法送达|無法(?:傳遞|傳送|投遞)|系统退信
    배달되지 않음|배달 실패|전송 ?실패|반송
""")
NOTICES = any_of(r"""
    this is the qmail-send program
    this message was created automatically by (?:the )?(?:mail|smtp)
    this is the (?:mail system|postfix program|dragonfly)
    the original message was received at
    delivery (?:has failed|failed|error|failure|problem|attempt)
    delivery to the following recipient
    did ?n[o']t (?:reach|get through)
    (?:was ?n't|was not|not be|not been|cannot be|couldn'?t be|can't be) (?:able to be )?delivered
    (?:unable|not able) to (?:deliver|send)
    (?:was|is|were) undeliverable
    wasn't able to deliver|could not (?:deliver|send)|failed to deliver
    returned to (?:the |its )?sender
    permanent(?:ly)? (?:fatal )?(?:error|fail)
    undelivered message|message (?:was )?undeliver
    mailbox (?:is )?(?:unavailable|full|disabled)|over quota|quota exceeded
    (?:user|recipient|mailbox|account|address) (?:is )?unknown
    unknown (?:user|recipient|address|mailbox)
    no such (?:user|mailbox|recipient)
    (?:has been|been|is|was) delayed|will continue to (?:try|be)
    not accept(?:ed|ing)|rejected (?:your|the) message|has been rejected
    recipient(?:'s)? (?:address )?(?:rejected|not found)
    unrouteable|not listed in|invalid (?:recipient|user|address)
    error sending|there was an error
    (?:kann|konnte) nicht zugestellt|nicht zugestellt
    n'a (?:pas )?p[ua]s? (?:pu )?[êe]tre|n'a pas été remis
    no se (?:pudo|ha podido) entregar|non è stato possibile
    送信できません|届けることができません|配信できません|お届けできません
    无法(?:送达|投递)|未能送达|无法发送
""")
SURE_NOTICES = any_of(r"""
    this is the qmail-send program
    this message was created automatically by (?:the )?mail delivery soft
    this is the (?:mail system|postfix program) at
    delivery has failed to these recipients or
    -----\s?the following addresses had (?:permanent|transient)
    your message did not reach some or all of
""")
COPY_BELOW = any_of(
    r"""
    ^[-=_* >]*(?:below this line is|this is) a copy of
    ^[-=_* >]*(?:----|====)\s*(?:unsent|undelivered|returned|original|the original) (?:mail|message)
    ^[-=_* >]*(?:the )?(?:original )?message (?:headers? )?(?:follows?|is included|attached)
    ^[-=_* >]*(?:included is a copy|original message (?:follows|headers?|text)|message headers?\b)
    ^[-=_* >]*your (?:original )?message (?:follows|reads|is attached|begins)
    ^[-=_* >]*(?:headers?|text|start|copy) of (?:the )?(?:original|unsent|your|returned)\b
    ^[-=_* >]*the (?:headers?|text) of (?:the|your)
    ^(?:return-path|received|message-id): ?
    """,
    re.IGNORECASE | re.MULTILINE,
)
