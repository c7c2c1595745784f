"""The words that packed links take as known, so that short links stay short.

They belong to links of version "a": changing one byte here would break every such link, so a better list needs the next
letter. zlib looks back for text it has seen; this text stands before every link as if it had been seen already, what is
most frequent last.
"""

from __future__ import annotations

# A system, titles and kept scenarios, a task.
_PIECES = (
    '"systems":[{"id":"mine/deepseek-r1","label":"mine","accelerator":"Jalapeño","vendor":"OpenAI","model":"gpt-o',
    'ss-120b","model_label":"GPT-OSS 120B","kimi-k2.5","Kimi K2.5","DeepSeek R1","precision":"MXFP4","software":"',
    'mtp":true,"points":[{"concurrency":4,"chips":8,"ttft":{"value":0.33,"unit":"s","grade":"assumed","source":"h',
    'ere","note":"","band":[0,1],"unknown":"how its first-token time grows with the prompt"},"ttft_at_tokens":737',
    '3,"tpot":{"value":700,"unit":"tok/s/user","grade":"measured"}}],"fixed_share":{"value":0.83,"unit":"share","',
    'grade":"derived"},"overhead":{"value":0,"unit":"ms","grade":"reported"},"measured":{"uncached_tokens":{"low"',
    ':6553,"high":8192},"context_tokens":{"low":6553,"high":9216}},"headline":"","sources":[{"id":"own","title":"',
    '","publisher":"","address":"https://","date":"2026-","licence":"","note":""}]"titles":[{"kind":"timeline","w',
    'as":" finishes  s sooner:  s instead of  s","text":""},{"kind":"accumulation","was":"Each call adds about  s',
    ': after  calls the gap is  s"},{"kind":"components","was":"Nearly all of the time saved comes from writing t',
    'okens;  s of tools stay"},{"kind":"distribution","was":"Within  min, % of runs are done on "},{"kind":"break',
    '_even","was":" finishes a call first below about  tokens"}],"kept":[{"query":{"task":"own","model":"kimi-k2.',
    '5","baseline":"gb300-mtp","candidate":"jalapeno","more":"","by":"average","run":"","steps":"0.5","tokens":"0',
    '.5","tools":"0.5","speed":"2","first":"0.5","context":"2","cached":"0","lifetime":"2","target":"30"},"side":',
    '"baseline","name":""},{"query":{"tools":"0.5"},"name":""task":{"id":"","name":"Coding agent, one request (ed',
    'ited)","short":"a coding agent","description":"","notes":[""sources":["tracelab-2026-06"],"deadline":{"secon',
    'ds":60,"success_probability":0.5},"attention":{"threshold_s":30,"cost_s":60},"cache":{"lifetime_s":300},"ste',
    'ps":[{"kind":"graph","steps":[{"kind":"retry","failure_probability":0.1,"max_attempts":3,"backoff_s":1,"step',
    's":[{"kind":"choice","options":[{"probability":0.3,"steps":[]},{"probability":0.7,"steps":[{"kind":"parallel',
    '","join":"all","branches":[{"steps":[{"kind":"parallel","width":4,"steps":[{"kind":"group","steps":[{"kind":',
    '"compact","to_tokens":8000},{"kind":"human_wait","name":"approve","seconds":{"low":1,"mode":2,"high":3}},{"w',
    'eights":[1,2],"values":[1,2]},{"mixture":[{"weight":0.5,"mean":1,"sd":1}]},"until":{"probability":0.2,"max":',
    '20},"after":["a"],"role":"router","conversation":null,"reasoning_tokens":100,"timeout_s":60,"result_tokens":',
    '500}],{"task":{"name":"My task","context_tokens":6000,"cached_tokens":6000,"steps":[{"kind":"loop","name":"t',
    'urns","times":{"p50":6,"p90":20,"max":200},"steps":[{"kind":"model_call","name":"act","input_tokens":100,"ou',
    'tput_tokens":250},{"kind":"tool_wait","name":"run","seconds":{"p50":0.3,"p90":13.6,"p99":216,"max":120},"res',
    'ult_tokens":800}]},{"kind":"model_call","name":"report","output_tokens":400}]},"steps":[{"kind":"model_call"',
    ',"name":"","output_tokens":{"p50":200,"p90":1700}},{"kind":"tool_wait","name":"","seconds":4}]}',
)

DICTIONARY = "".join(_PIECES).encode()
