-- For wrk: sends one push per request to the device REGISTRATION_ID, or batches of BATCH pushes, each to a different device:
-- their ids end in other numbers.
local device = os.getenv("REGISTRATION_ID")
local batch = tonumber(os.getenv("BATCH") or "0")
local alert = '"ios":{"alert":"hello","badge":1,"sound":"default","extras":{"orderId":"1234"}}'
local options = '"options":{"time_to_live":86400,"apns_production":true}'

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Basic " .. os.getenv("PUSH_AUTH")

if batch == 0 then
  wrk.body = '{"platform":["ios"],"audience":{"registration_id":["' .. device .. '"]},"notification":{' .. alert .. '},'
    .. options .. '}'
else
  -- A cid is accepted once, so each push has its own, which also differs from those of earlier runs against the same service.
  local before = '":{"platform":["ios"],"target":"' .. device:sub(1, -5)
  local after = '","notification":{' .. alert .. '},' .. options .. '}'
  local key = os.getenv("PUSH_APP_KEY")
  local run = os.time() % 2 ^ 32
  local sent = 0
  function request()
    local items = {}
    for number = 1, batch do
      sent = sent + 1
      items[number] = '"' .. key .. string.format("-%08x-0000-4000-8000-%012x", run, sent)
        .. before .. string.format("%04x", number) .. after
    end
    return wrk.format(nil, nil, nil, '{"pushlist":{' .. table.concat(items, ",") .. '}}')
  end
end

function response(status, headers, body)
  if status ~= 200 then wrk.thread:stop() end
end
